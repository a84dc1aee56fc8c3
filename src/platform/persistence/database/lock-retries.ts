import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';

/** For a lock on a table: all statements on the table queue behind one that waits. */
export const MIGRATION_LOCK_TIMEOUT_MS = 3_000;
const LOCK_NOT_AVAILABLE = '55P03';
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
const LOOK_EVERY_MS = 1_000;
const SAY_EVERY_MS = 10_000;
/** Who keeps a session from its lock. Without pg_read_all_stats, PostgreSQL hides the state and the times of other users' sessions. */
const BLOCKERS = `
  SELECT DISTINCT CASE WHEN b.pid = 0 THEN 'a prepared transaction' ELSE concat('process ', b.pid, ' (', concat_ws(', ',
    'user ' || a.usename, coalesce(nullif(a.application_name, ''), 'unnamed'), a.state, 'since ' || a.xact_start), ')') END AS blocker
  FROM unnest(pg_blocking_pids($1)) AS b (pid) LEFT JOIN pg_stat_activity a ON a.pid = b.pid
  ORDER BY 1 LIMIT 3`;

/** Runs a statement on another session than that which waits. */
type Ask = (sql: string, values: unknown[]) => Promise<readonly { blocker: string }[]>;

/** Looks from another session what one waits for, and logs it every few seconds, also if it waits without a timeout. */
export class LockWatch {
  private readonly log = new Logger('Migrations');
  private readonly ended = new AbortController();
  private readonly watching: Promise<void>;
  private last: string | null = null;

  /** `pid` is that of the session that may wait. */
  constructor(pid: number, ask: Ask, { lookEveryMs = LOOK_EVERY_MS, sayEveryMs = SAY_EVERY_MS } = {}) {
    this.watching = this.watch(() => ask(BLOCKERS, [pid]), lookEveryMs, sayEveryMs);
  }

  /** What it waited for last; null if it was never seen to wait, since the last call. */
  takeLast(): string | null {
    const { last } = this;
    this.last = null;
    return last;
  }

  async end(): Promise<void> {
    this.ended.abort();
    await this.watching;
  }

  private async watch(look: () => ReturnType<Ask>, lookEveryMs: number, sayEveryMs: number): Promise<void> {
    let since: number | null = null;
    let said = 0;
    while (await this.goesOn(lookEveryMs)) {
      // a look that fails must not fail the migration
      const blockers = await look().catch(() => []);
      if (blockers.length === 0) {
        since = null;
        continue;
      }
      this.last = blockers.map(({ blocker }) => blocker).join('; ');
      const now = performance.now();
      if (since === null) [since, said] = [now, now];
      if (now - said < sayEveryMs) continue;
      said = now;
      this.log.warn(`A migration has waited for a lock for ${Math.round((now - since) / 1_000)} s, behind ${this.last}.`);
    }
  }

  private goesOn(ms: number): Promise<boolean> {
    return sleep(ms, true, { signal: this.ended.signal }).catch(() => false);
  }
}

/** Runs a migration, on a session with this lock timeout, until it gets its locks. The watch is of that session. */
export async function retryWhileLocked<R>(run: () => Promise<R>, watch: LockWatch, lockTimeoutMs = MIGRATION_LOCK_TIMEOUT_MS): Promise<R> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await run();
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      const blockers = watch.takeLast();
      new Logger('Migrations').warn(
        `A migration did not get a lock within ${lockTimeoutMs / 1_000} s and is tried again in ${pauseMs / 1_000} s.` +
          (blockers === null ? '' : ` It waited behind ${blockers}.`),
      );
      await sleep(pauseMs);
    }
  }
}

export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === LOCK_NOT_AVAILABLE;
}
