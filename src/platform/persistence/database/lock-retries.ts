import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';

/** For a lock on a table: all statements on the table queue behind one that waits. */
export const MIGRATION_LOCK_TIMEOUT_MS = 3_000;
const LOCK_NOT_AVAILABLE = '55P03';
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
/** Of other sessions; what a migration waits for is among them. */
const LONG_TRANSACTIONS = `
  SELECT format('process %s (%s, %s) since %s', pid, coalesce(nullif(application_name, ''), 'unnamed'), state, xact_start) AS transaction
  FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start < now()
  ORDER BY xact_start LIMIT 3`;

/**
 * Runs a migration, on a session with this lock timeout, until it gets its locks. `query` asks on the same session what it may have waited
 * for.
 */
export async function retryWhileLocked<R>(
  run: () => Promise<R>,
  query: (sql: string) => Promise<readonly { transaction: string }[]>,
  lockTimeoutMs = MIGRATION_LOCK_TIMEOUT_MS,
): Promise<R> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await run();
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      const others = await query(LONG_TRANSACTIONS);
      new Logger('Migrations').warn(
        `A migration did not get a lock within ${lockTimeoutMs / 1_000} s and is tried again in ${pauseMs / 1_000} s. ` +
          `The oldest transactions: ${others.map(({ transaction }) => transaction).join('; ') || 'none'}.`,
      );
      await sleep(pauseMs);
    }
  }
}

export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === LOCK_NOT_AVAILABLE;
}
