import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommonErrors } from './kit/index.js';
import { publicUrl } from './platform/config/config.js';
import type { AppConfig } from './platform/config/settings.js';
import { Release } from './platform/health/release.js';
import { respondWith } from './platform/http/unrouted/server-errors.js';
import { whyNotListening } from './listening-port.js';

const ANSWER_MS = 50;
/** A client that keeps its connection open delays the start for no longer. */
const CLOSE_MS = 1_000;

/**
 * Responds on the port while migrations run or wait, which may take long: the process is alive, so that no supervisor restarts it, but not
 * ready. A start without migrations does not need it: as long as the port is closed, proxies without health checks use another process.
 * Returns what closes it.
 */
export async function respondWhileStarting(config: AppConfig): Promise<() => Promise<void>> {
  const live = JSON.stringify({ status: 'ok', ...Release.of(config), last_claims: {} });
  const server = createServer((request, response) => {
    response.setHeader('Connection', 'close');
    if (request.url === '/health/live') response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' }).end(live);
    else respondWith(response, CommonErrors.unavailable({ message: 'The application is starting.' }), publicUrl(config, config.port));
  });
  try {
    await once(server.listen(config.port, config.host), 'listening');
  } catch (error) {
    throw whyNotListening(error, config);
  }
  return async () => {
    // what has come in is answered and not reset
    await sleep(ANSWER_MS);
    server.close();
    const force = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
    await once(server, 'close');
    clearTimeout(force);
  };
}
