import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to connections, and to servers that take any: those are from 32768 in Linux, later in others. So a
 * port is still free when its user gets to it, which may be a program that takes seconds to start, or one that starts again.
 */
const [FIRST, LAST] = [15_000, 32_000];

/** A port that is currently free on 127.0.0.1. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
