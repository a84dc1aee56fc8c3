import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { ConfigError } from './kit/index.js';
import type { AppConfig } from './platform/config/settings.js';

/** A program of this machine answers at once. */
const CONNECT_TIMEOUT_MS = 1_000;

type Address = Pick<AppConfig, 'host' | 'port'>;

/**
 * Fails if HOST is not of this machine or another program listens on the port, which is known before anything else is loaded or changed.
 * Connects to the port instead of listening for a moment, because the connections of clients that came meanwhile would be reset.
 */
export async function requirePort({ host, port }: Address): Promise<void> {
  const elsewhere = createServer();
  try {
    await once(elsewhere.listen(0, host), 'listening');
  } catch (error) {
    throw whyNotListening(error, { host, port });
  }
  elsewhere.close();
  const socket = connect({ host, port, timeout: CONNECT_TIMEOUT_MS });
  socket.once('timeout', () => socket.destroy(new Error('No answer.')));
  try {
    await once(socket, 'connect');
  } catch {
    // free, or told by listen itself
    return;
  } finally {
    socket.destroy();
  }
  throw portInUse(port);
}

/** The error of `listen` as a sentence that names the setting. */
export function whyNotListening(error: unknown, { host, port }: Address): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return portInUse(port);
  if (code === 'EACCES') return new ConfigError(`PORT ${port} may not be opened by this user: set PORT to one above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return new ConfigError(`HOST ${host} is not an address of this machine.`);
  return error;
}

function portInUse(port: number): ConfigError {
  return new ConfigError(`Port ${port} is in use by another program: set PORT to a free one, or end that program.`);
}
