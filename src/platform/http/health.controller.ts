import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, type OnApplicationBootstrap } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { CommonErrors, Public } from '../../kit/index.js';
import { Draining } from '../health/draining.js';
import { Preparation } from '../health/preparation.js';
import { Progress } from '../health/progress.js';
import { Release } from '../health/release.js';
import { Watchdog } from '../health/watchdog.js';
import { MailServerHealth } from '../mail/mail-server-health.js';
import type { MailServerState } from '../mail/mail-server.js';
import { OutboundSwitch, type OutboundState } from '../outbound/outbound-switch.js';
import { isOfLostConnection } from '../persistence/database/pg-errors.js';
import { poolOf } from '../persistence/database/pool.js';
import { endRefusal, latestRefusal } from '../persistence/database/refusals.js';
import { OldestDueDelivery } from '../webhooks/deliveries/oldest-due-delivery.js';

const PUBLIC_REASON = 'A probe has no key, and the response reveals only the version, times and whether mail can be sent';
/** A probe does not wait longer. */
const DATABASE_TIMEOUT_MS = 3_000;
/** After PostgreSQL refused work, this process gets no requests for so long. */
const HOLD_MS = 5_000;
/** Extends a new file on the disk, which is full for tables as well. */
const WRITE = `BEGIN; CREATE TEMPORARY TABLE health_probe ON COMMIT DROP AS SELECT md5(n::text) FROM generate_series(1, 2000) n; ROLLBACK`;

interface Health {
  status: 'ok';
  version: string;
  /** That of the suite's source; null if it is unknown. */
  commit: string | null;
  /** When each queue of this process last claimed successfully; empty in a process that runs no jobs. */
  last_claims: Record<string, Date>;
}

interface Readiness extends Health {
  /** The due time of the webhook delivery that waits the longest, for any reason; null if none waits, or if it cannot be read soon. */
  oldest_due_delivery_at: Date | null;
  /** It does not affect readiness. */
  mail_server: MailServerState;
  /** Whether webhooks and mails are sent: `off` by the setting, `held` because the database is a copy. */
  outbound: OutboundState;
}

/** For load balancers and container runtimes. */
@Controller('health')
export class HealthController implements OnApplicationBootstrap {
  private isInitialized = false;
  /** Shared by probes at the same time: anyone may ask. */
  private asked: Promise<void> | null = null;

  constructor(
    private readonly draining: Draining,
    private readonly preparation: Preparation,
    private readonly release: Release,
    private readonly progress: Progress,
    private readonly watchdog: Watchdog,
    private readonly oldest: OldestDueDelivery,
    private readonly dataSource: DataSource,
    private readonly mailServer: MailServerHealth,
    private readonly outbound: OutboundSwitch,
  ) {}

  onApplicationBootstrap(): void {
    this.isInitialized = true;
  }

  /** An older name of `ready`. */
  @Get()
  @Public(PUBLIC_REASON, { limited: false })
  health(): Promise<Readiness> {
    return this.ready();
  }

  /** The process is running and not stuck. The database is not checked: restarting this process would not repair it. */
  @Get('live')
  @Public(PUBLIC_REASON, { limited: false })
  live(): Health {
    if (this.watchdog.stuck) throw CommonErrors.unavailable({ message: 'This process is stuck and is shutting down.' });
    return { status: 'ok', ...this.release, last_claims: this.progress.lastClaims() };
  }

  /**
   * Requests can be served: the application is initialized, the demo complete, the process is not about to stop, and its database responds
   * and can be written.
   */
  @Get('ready')
  @Public(PUBLIC_REASON, { limited: false })
  async ready(): Promise<Readiness> {
    if (this.draining.isDraining) throw CommonErrors.unavailable({ message: 'This process is shutting down.' });
    if (this.preparation.isRunning) throw CommonErrors.unavailable({ message: 'The demo workspace is being prepared.' });
    if (!this.isInitialized) throw CommonErrors.unavailable({ message: 'The application is starting.' });
    const [oldest, mailServer] = await Promise.all([
      this.oldest.read(),
      this.mailServer.read(),
      (this.asked ??= this.requireDatabase().finally(() => (this.asked = null))),
    ]);
    return { ...this.live(), oldest_due_delivery_at: oldest, mail_server: mailServer, outbound: this.outbound.state };
  }

  /** Asks the pool that serves requests. */
  private async requireDatabase(): Promise<void> {
    const refusal = latestRefusal();
    if (refusal && performance.now() - refusal.at < HOLD_MS) throw databaseRefuses();
    const asked = this.ask(refusal !== null).catch((cause) => {
      throw databaseSilent(cause);
    });
    const answer = await Promise.race([asked, sleep(DATABASE_TIMEOUT_MS, null, { ref: false })]);
    if (!answer) throw databaseSilent();
    if (answer.isReadOnly || (refusal && latestRefusal() !== refusal)) throw databaseRefuses();
    if (refusal) endRefusal(refusal);
  }

  /** Connections that were lost while nobody used them say nothing about the database: a new one does. */
  private async ask(withWrite: boolean): Promise<{ isReadOnly: boolean }> {
    const pool = poolOf(this.dataSource);
    for (let lost = 0; ; lost++) {
      const client = await pool.connect();
      try {
        return await askOn(client, withWrite);
      } catch (error) {
        if (lost >= pool.options.max || !isOfLostConnection(error)) throw error;
      }
    }
  }
}

/** A full disk refuses no reads, so it is found by a write, which is tried only after a refusal. */
async function askOn(client: PoolClient, withWrite: boolean): Promise<{ isReadOnly: boolean }> {
  let failure: Error | boolean = false;
  try {
    const { rows } = await client.query<{ mode: string }>(`SELECT current_setting('transaction_read_only') AS mode`);
    const isReadOnly = rows[0].mode === 'on';
    // a session stays read-only, also when the database is not anymore
    failure = isReadOnly;
    if (withWrite && !isReadOnly)
      await client.query(WRITE).catch((error: Error) => {
        // one of any other kind, such as a missing privilege, says nothing about the disk
        failure = error;
      });
    return { isReadOnly };
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}

function databaseRefuses() {
  return CommonErrors.unavailable({ message: 'The database is currently not writable; see the server log.' });
}

function databaseSilent(cause?: unknown) {
  return CommonErrors.unavailable({ message: 'The database does not respond.', cause });
}
