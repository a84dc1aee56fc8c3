import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Bytes of one request that are discarded before its response is sent. A body that announces more is not waited for. */
export const MOST_DISCARDED = 64 * 1024 * 1024;
/** A client that sends nothing for so long waits for the response before it sends its body. */
const LONGEST_PAUSE_MS = 1_000;

/**
 * A response that is ready before the request's body has arrived waits until the rest is read and discarded. If the server closed the
 * connection while the client still writes, the client would get a connection error (EPIPE, ECONNRESET) instead of the response.
 */
export function discardUnreadBodies(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request;
    if (raw.complete || !hasBody(raw)) return done(null, payload);
    discard(raw, (isRead) => {
      if (!isRead) void reply.header('Connection', 'close');
      done(null, payload);
    });
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}

function discard(body: IncomingMessage, done: (isRead: boolean) => void): void {
  if (body.destroyed || Number(body.headers['content-length']) > MOST_DISCARDED) return done(false);
  let size = 0;
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > MOST_DISCARDED) finish();
    else pause.refresh();
  };
  const finish = (): void => {
    clearTimeout(pause);
    body.off('data', onData).off('end', finish).off('close', finish);
    done(body.complete);
  };
  const pause = setTimeout(finish, LONGEST_PAUSE_MS);
  body.on('data', onData).once('end', finish).once('close', finish).resume();
}
