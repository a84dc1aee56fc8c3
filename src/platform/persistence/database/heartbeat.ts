import type { Duplex } from 'node:stream';
import type { Client } from 'pg';

export interface HeartbeatOptions {
  everyMs: number;
  /** An answer that takes longer counts as none. */
  timeoutMs: number;
  /** `askedAt` is when the answered ping was sent, by `performance.now()`. */
  onAnswer?(askedAt: number): void;
}

/**
 * Pings a dedicated connection, because a dead one can look open. Without an answer it is closed, so that it emits `error` and `end` like
 * any lost connection. Call the returned function to end the pings.
 */
export function startHeartbeat(client: Client, { everyMs, timeoutMs, onAnswer }: HeartbeatOptions): () => void {
  let deadline: NodeJS.Timeout | undefined;
  const ping = () => {
    if (deadline) return;
    const askedAt = performance.now();
    deadline = setTimeout(() => closeSocket(client, `no answer to a ping within ${timeoutMs} ms`), timeoutMs).unref();
    client
      .query('SELECT 1')
      .then(
        () => onAnswer?.(askedAt),
        () => undefined,
      )
      .finally(() => {
        clearTimeout(deadline);
        deadline = undefined;
      });
  };
  const timer = setInterval(ping, everyMs).unref();
  return () => {
    clearInterval(timer);
    clearTimeout(deadline);
  };
}

/** Closes a connection without waiting for anything, so that it emits `end`. */
export function closeSocket(client: Client, reason: string): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.destroy(new Error(reason));
}
