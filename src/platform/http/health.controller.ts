import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, type OnApplicationBootstrap } from '@nestjs/common';
import { CommonErrors, Public } from '../../kit/index.js';
import { Progress } from '../health/progress.js';
import { Watchdog } from '../health/watchdog.js';
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
  /** The due time of the webhook delivery that waits the longest, for any reason; null if none waits. */
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
    const oldest = await Promise.race([
      this.oldest.read().catch((cause) => {
        throw databaseSilent(cause);
      }),
      sleep(DATABASE_TIMEOUT_MS, undefined, { ref: false }),
    ]);
    if (oldest === undefined) throw databaseSilent();
    return { ...this.live(), oldest_due_delivery_at: oldest };
  }
}

function databaseSilent(cause?: unknown) {
  return CommonErrors.unavailable({ message: 'The database does not respond.', cause });
}
