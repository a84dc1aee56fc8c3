import { CommonErrors, HOUR_MS, sql, type Tx } from '../../../../kit/index.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import type { Document } from '../../model/records/document.entity.js';

/**
 * Decides who may be reminded of a document: each person once an hour. The transaction must have locked the document, so that
 * concurrent reminders see each other, and must record the addresses as `detail.reminded` of a `papers.remind` entry.
 */
export class ReminderLimit {
  /** When those rejected by `admits` can be reminded again. */
  private readonly waiting: number[] = [];

  private constructor(
    private readonly now: Date,
    private readonly nextByEmail: ReadonlyMap<string, number>,
  ) {}

  static async of(tx: Tx, document: Document): Promise<ReminderLimit> {
    const recent = await tx.list(
      AuditEntry,
      { document_id: document.id, action: 'papers.remind' },
      sql`t.created_at > ${new Date(tx.startedAt.getTime() - HOUR_MS)}`,
    );
    const next = new Map<string, number>();
    for (const { created_at, detail } of recent)
      for (const email of (detail.reminded ?? []) as string[])
        next.set(email.toLowerCase(), Math.max(next.get(email.toLowerCase()) ?? 0, created_at.getTime() + HOUR_MS));
    return new ReminderLimit(tx.startedAt, next);
  }

  admits(email: string): boolean {
    const next = this.nextByEmail.get(email.toLowerCase());
    if (next !== undefined) this.waiting.push(next);
    return next === undefined;
  }

  /** Throws `rate_limited` if `admits` has rejected anybody. */
  requireNobodyWaits(): void {
    if (this.waiting.length === 0) return;
    const next = new Date(Math.min(...this.waiting));
    throw CommonErrors.rateLimited({
      message: `A person can be reminded of a document once an hour; the next reminder is possible at ${next.toISOString()}.`,
      headers: { 'Retry-After': String(Math.max(1, Math.ceil((next.getTime() - this.now.getTime()) / 1000))) },
    });
  }
}
