import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Bytes of one request that are discarded before its response is sent. The rest of a larger body is not awaited. */
const MOST_DISCARDED = 64 * 1024 * 1024;
/** A client that sends nothing for so long waits for the response before it sends its body. Uploads over mobile networks pause, too. */
const LONGEST_PAUSE_MS = 5_000;
/** Below the server's request timeout, which would replace the response by a 408, and the time that a shutdown takes. */
const LONGEST_DISCARD_MS = 15_000;

/**
 * How long the server reads on after a response that did not wait for the rest of the body. If it closed the connection at once, the
 * system would reset it and a client that still writes could lose the response.
 */
const LONGEST_LINGER_MS = 15_000;

/**
 * A response that is ready before the request's body has arrived waits until the rest is read and discarded. If the server closed the
 * connection while the client still writes, the client would get a connection error (EPIPE, ECONNRESET) instead of the response.
 * Install it before the hooks that set headers: what they depend on may change meanwhile.
 */
export function discardUnreadBodies(fastify: FastifyInstance): void {
  fastify.addHook('onSend', ({ raw }, reply, payload, done) => {
    discardUnreadBody(raw, (isRead) => {
      if (!isRead) void reply.header('Connection', 'close');
      done(null, payload);
    });
  });
}

/**
 * Calls back when the body has been read, or at once if it has been before. `isRead` is false if it is not awaited any longer: if the
 * response ends the connection, the server ends its side only and discards what still arrives.
 */
export function discardUnreadBody(request: IncomingMessage, done: (isRead: boolean) => void): void {
  if (request.complete || request.readableEnded || !hasBody(request)) return done(true);
  discard(request, (isRead) => {
    if (!isRead) lingerOnEnd(request.socket);
    done(isRead);
  });
}

/** Node's server calls `destroySoon` when it has written a response with `Connection: close`. */
function lingerOnEnd(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    if (socket.destroyed) return;
    const destroy = () => socket.destroy();
    const pause = setTimeout(destroy, LONGEST_PAUSE_MS);
    const deadline = setTimeout(destroy, LONGEST_LINGER_MS);
    // past Node's parser: it would answer a request that follows
    socket.removeAllListeners('data');
    socket.on('data', () => void pause.refresh());
    socket.once('end', destroy);
    socket.once('close', () => {
      clearTimeout(pause);
      clearTimeout(deadline);
    });
    socket.resume();
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}

function discard(body: IncomingMessage, done: (isRead: boolean) => void): void {
  if (body.destroyed || Number(body.headers['content-length']) > MOST_DISCARDED) return done(false);
  let size = 0;
  let isDone = false;
  const finish = (): void => {
    if (isDone) return;
    isDone = true;
    clearTimeout(pause);
    clearTimeout(deadline);
    body.off('data', onData).off('end', finish).off('close', finish);
    done(body.complete);
  };
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > MOST_DISCARDED) finish();
    else pause.refresh();
  };
  const onPause = (): void => {
    const before = size;
    // after the event loop was blocked, timers run before what has arrived is read
    setImmediate(() => {
      if (size === before) finish();
    });
  };
  const pause = setTimeout(onPause, LONGEST_PAUSE_MS);
  const deadline = setTimeout(finish, LONGEST_DISCARD_MS);
  body.on('data', onData).once('end', finish).once('close', finish).resume();
}
