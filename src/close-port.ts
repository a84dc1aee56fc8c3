import type { Server as HttpServer } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Time for the requests of accepted connections to arrive. */
const ARRIVAL_MS = 300;
/** A turn of the event loop that had nothing to do takes less. */
const QUIET_MS = 1;
const MOST_BUSY_MS = 3_000;

/**
 * Closes the port of a server, then its connections without a request, so that no request is lost that has reached this machine. The
 * system resets connections that wait to be accepted when the port is closed, of which a busy process has many: it accepts one in each
 * turn of the event loop. So new ones are not served until none waits, which makes the turns short. An HTTP server that closes also ends
 * connections whose request it has not read; these are read in the turn before.
 */
export async function closePort(server: HttpServer): Promise<void> {
  const waiting: Socket[] = [];
  const serve = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket) => {
    // of a client that gave up; whoever serves it has a listener of its own
    socket.on('error', () => undefined);
    waiting.push(socket);
  });
  await quietTurn(() => waiting.length);
  NetServer.prototype.close.call(server);
  server.removeAllListeners('connection');
  for (const listener of serve) server.on('connection', listener);
  for (const socket of waiting) server.emit('connection', socket);
  await sleep(ARRIVAL_MS);
  await quietTurn(() => 0);
  server.closeIdleConnections();
}

/** Resolves after the reads of a turn that was short and accepted nothing, at the latest after some seconds. */
async function quietTurn(accepted: () => number): Promise<void> {
  const until = performance.now() + MOST_BUSY_MS;
  // the rest of the present turn may accept nothing, because it comes after its reads
  await nextTurn();
  for (;;) {
    const [started, before] = [performance.now(), accepted()];
    await nextTurn();
    const now = performance.now();
    if ((now - started < QUIET_MS && accepted() === before) || now > until) return;
  }
}
