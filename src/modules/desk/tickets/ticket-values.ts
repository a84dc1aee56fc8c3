import { own, sql, table, type Tx } from '../../../kit/index.js';
import { DeskErrors, duplicateOf, invalid } from '../model/desk.errors.js';
import { Ticket } from '../model/ticket.entity.js';
import { emailOf } from '../requesters/requesters.service.js';

/** Copies in lower case, without repetitions and without the requester, who gets every answer anyway. */
export function copiesOf(emails: readonly string[], requesterEmail: string): string[] {
  return [...new Set(emails.map(emailOf))].filter((email) => email !== requesterEmail);
}

export function tagsOf(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim().toLowerCase()))];
}

/** Throws 409 `duplicate` with the id of the ticket that has it, also if that is created in the meantime. */
export async function requireNewExternalId(tx: Tx, projectId: string, externalId: string): Promise<void> {
  tx.advanced.retryOnConflict();
  const [found] = await tx.sql<{ id: string }>(
    sql`SELECT t.id FROM ${table(Ticket)} t WHERE ${own('t')} AND t.project_id = ${projectId} AND t.external_id = ${externalId}`,
  );
  if (found) throw duplicateOf('external_id', externalId, found.id);
}

/** Throws 409 `ticket_closed`, which names the final ticket if this one was merged. */
export function requireOpen({ status_category, number, merged_into_id }: Ticket): void {
  if (status_category !== 'closed') return;
  if (merged_into_id === null) throw DeskErrors.ticketClosed();
  throw DeskErrors.ticketClosed({
    message: `${number} was merged and is closed; use the ticket that has its messages, ${merged_into_id}.`,
    extra: { merged_into_id },
  });
}

/** The end of a snooze; 400 unless it is in the future. */
export function snoozeOf(given: string | null | undefined, now: Date): Date | null | undefined {
  if (given === null || given === undefined) return given;
  const until = new Date(given);
  if (until <= now) throw invalid('snoozed_until_at', 'must be in the future');
  return until;
}
