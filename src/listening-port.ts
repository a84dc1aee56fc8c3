import { once } from 'node:events';
import { createServer } from 'node:net';
import { ConfigError } from './kit/index.js';
import type { AppConfig } from './platform/config/settings.js';

type Address = Pick<AppConfig, 'host' | 'port'>;

/** Fails if this process cannot listen on its port, which is known before anything else is loaded or changed. */
export async function requirePort({ host, port }: Address): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw whyNotListening(error, { host, port });
  }
  server.close();
  await once(server, 'close');
}

/** The error of `listen` as a sentence that names the setting. */
export function whyNotListening(error: unknown, { host, port }: Address): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new ConfigError(`Port ${port} is in use by another program: set PORT to a free one, or end that program.`);
  if (code === 'EACCES') return new ConfigError(`PORT ${port} may not be opened by this user: set PORT to one above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return new ConfigError(`HOST ${host} is not an address of this machine.`);
  return error;
}
