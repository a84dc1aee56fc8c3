import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Client, type ClientConfig, escapeIdentifier } from 'pg';
import { startHeartbeat } from './heartbeat.js';

/** `gap`: the connection was lost for a time, so notifications may have been missed. */
export type PgSignal = { kind: 'notification'; payload: string } | { kind: 'gap' };

/** Notifications arrive before the answer to a later ping, so an answered ping proves that none is missing; for this long. */
export const PINGS = { everyMs: 250, validMs: 900 };
const PING_TIMEOUT_MS = 5_000;
const LONGEST_BACKOFF_MS = 5_000;

/**
 * LISTENs on a dedicated connection, because a pool would share it. The connection must reach PostgreSQL directly: a pooler in
 * transaction mode (PgBouncer) drops LISTEN silently.
 */
export class PgNotifier implements OnApplicationShutdown {
  private readonly log = new Logger(PgNotifier.name);
  private readonly listeners = new Map<string, (signal: PgSignal) => void>();
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private endHeartbeat: (() => void) | undefined;
  private answeredPingAt = -Infinity;
  private failures = 0;
  private closed = false;

  constructor(private readonly config: ClientConfig) {}

  /** While false, notifications may be missed or late: the connection is lost, or it has not answered for almost a second. */
  get isReceiving(): boolean {
    return this.client !== undefined && performance.now() - this.answeredPingAt < PINGS.validMs;
  }

  /** One listener per channel; call it before `start`. */
  listen(channel: string, listener: (signal: PgSignal) => void): void {
    this.listeners.set(channel, listener);
  }

  /** Throws if the first connection fails. Later connection attempts are repeated until one succeeds. */
  async start(): Promise<void> {
    const limits = { keepAlive: true, connectionTimeoutMillis: 10_000, query_timeout: 5_000 };
    const client = new Client({ application_name: 'work-suite notifications', ...this.config, ...limits });
    client.on('notification', ({ channel, payload }) => {
      this.listeners.get(channel)?.({ kind: 'notification', payload: payload ?? '' });
    });
    client.on('error', (error) => this.handleLoss(client, error));
    client.on('end', () => this.handleLoss(client, new Error('connection ended')));
    let confirmedAt: number;
    try {
      await client.connect();
      confirmedAt = performance.now();
      for (const channel of this.listeners.keys()) await client.query(`LISTEN ${escapeIdentifier(channel)}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    if (this.closed) return client.end();
    this.client = client;
    this.failures = 0;
    this.answeredPingAt = confirmedAt;
    this.endHeartbeat = startHeartbeat(client, {
      everyMs: PINGS.everyMs,
      timeoutMs: PING_TIMEOUT_MS,
      onAnswer: (askedAt) => {
        if (client === this.client) this.answeredPingAt = askedAt;
      },
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    this.endHeartbeat?.();
    const client = this.client;
    this.client = undefined;
    await client?.end();
  }

  private handleLoss(client: Client, error: Error): void {
    if (client !== this.client) return;
    this.client = undefined;
    this.endHeartbeat?.();
    client.end().catch(() => undefined);
    this.log.warn(`connection lost: ${error.message}`);
    this.reconnectLater();
  }

  private reconnectLater(): void {
    const pause = Math.min(100 * 2 ** this.failures++, LONGEST_BACKOFF_MS);
    this.timer = setTimeout(() => void this.reconnect(), pause).unref();
  }

  private async reconnect(): Promise<void> {
    try {
      await this.start();
    } catch {
      if (!this.closed) this.reconnectLater();
      return;
    }
    if (this.closed) return;
    this.log.log('reconnected');
    for (const listener of this.listeners.values()) listener({ kind: 'gap' });
  }
}
