import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CommonErrors, Public } from '../../kit/index.js';
import { Progress } from '../health/progress.js';
import { Watchdog } from '../health/watchdog.js';
import { poolOf } from '../persistence/database/pool.js';
import { OldestDueDelivery } from '../webhooks/deliveries/oldest-due-delivery.js';

const PUBLIC_REASON = 'A probe has no key, and the response reveals only times';
/** A probe does not wait longer. */
const DATABASE_TIMEOUT_MS = 3_000;

interface Health {
  status: 'ok';
  /** When each queue of this process last claimed successfully; empty in a process that runs no jobs. */
  last_claims: Record<string, Date>;
}

interface Readiness extends Health {
  /** The due time of the webhook delivery that waits the longest, for any reason; null if none waits, or if it cannot be read soon. */
  oldest_due_delivery_at: Date | null;
}

/** For load balancers and container runtimes. */
@Controller('health')
export class HealthController implements OnApplicationBootstrap {
  private isInitialized = false;

  constructor(
    private readonly progress: Progress,
    private readonly watchdog: Watchdog,
    private readonly oldest: OldestDueDelivery,
    private readonly dataSource: DataSource,
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
    if (this.watchdog.stuck) throw CommonErrors.unavailable({ message: 'This process is stuck and ends.' });
    return { status: 'ok', last_claims: this.progress.lastClaims() };
  }

  /** Requests can be served: the application is initialized and its database responds. */
  @Get('ready')
  @Public(PUBLIC_REASON, { limited: false })
  async ready(): Promise<Readiness> {
    if (!this.isInitialized) throw CommonErrors.unavailable({ message: 'The application is starting.' });
    const [oldest] = await Promise.all([this.oldest.read(), this.requireDatabase()]);
    return { ...this.live(), oldest_due_delivery_at: oldest };
  }

  /** Asks the pool that serves requests. */
  private async requireDatabase(): Promise<void> {
    const asked = poolOf(this.dataSource)
      .query('SELECT 1')
      .catch((cause) => {
        throw databaseSilent(cause);
      });
    const answer = await Promise.race([asked, sleep(DATABASE_TIMEOUT_MS, null, { ref: false })]);
    if (!answer) throw databaseSilent();
  }
}

function databaseSilent(cause?: unknown) {
  return CommonErrors.unavailable({ message: 'The database does not respond.', cause });
}
