import { sql, type Ctx, type Tx } from '../../../kit/index.js';
import type { Ticket } from '../model/ticket.entity.js';
import { lockFinal } from '../tickets/requester-messages.service.js';
import type { InboundMail } from '../mail/inbound/inbound-mail.js';
import { ticketNumberIn } from '../mail/conversation/message-ids.js';

const OURS = `
  SELECT ticket_id AS id FROM desk_outbound_mails
  WHERE organization_id = $1 AND mode = $2 AND project_id = $3 AND message_id = ANY ($4)
  ORDER BY array_position($4::text[], message_id), id LIMIT 1`;
/** Who counts as the sender. An agent, whose mail was verified, takes part in all tickets. */
export interface Participant {
  email: string;
  isAgent: boolean;
}

/** Whether the sender takes part in the ticket. Mails of others are not added to it, even if they contain its number. */
const TAKES_PART = `($6 OR t.requester_email = $5 OR $5 = ANY (t.cc_emails))`;
const THEIRS = `
  SELECT t.id FROM desk_inbound_mails i JOIN desk_tickets t ON t.id = i.ticket_id
  WHERE i.organization_id = $1 AND i.mode = $2 AND i.message_id = ANY ($4) AND i.status = 'processed'
    AND i.mailbox_id IN (SELECT id FROM desk_mailboxes WHERE organization_id = $1 AND project_id = $3) AND ${TAKES_PART}
  ORDER BY array_position($4::text[], i.message_id), i.id LIMIT 1`;
const BY_NUMBER = `
  SELECT t.id FROM desk_tickets t
  WHERE t.organization_id = $1 AND t.mode = $2 AND t.project_id = $3 AND t.number = $4 AND ${TAKES_PART}`;

/**
 * The ticket that a mail belongs to, locked, or null. It is found by the Message-IDs of our mails, by those of earlier mails of
 * participants, then by the number in the subject if the sender is a participant. For a merged ticket, the final one is returned.
 */
export async function ticketOfMail(ctx: Ctx, tx: Tx, projectId: string, mail: InboundMail, as: Participant | null): Promise<Ticket | null> {
  const id = await startOf(ctx, tx, projectId, mail, as);
  return id === null ? null : lockFinal(tx, id);
}

async function startOf(
  ctx: Ctx,
  tx: Tx,
  projectId: string,
  { references, subject }: InboundMail,
  as: Participant | null,
): Promise<string | null> {
  const tenant = [ctx.organizationId, ctx.mode, projectId];
  const find = async (text: string, ...values: unknown[]) =>
    (await tx.query<{ id: string }>(sql.legacy(text, [...tenant, ...values]))).at(0)?.id ?? null;
  const ours = references.length === 0 ? null : await find(OURS, references);
  if (ours !== null || as === null) return ours;
  const theirs = references.length === 0 ? null : await find(THEIRS, references, as.email, as.isAgent);
  if (theirs !== null) return theirs;
  const number = ticketNumberIn(subject);
  return number === null ? null : find(BY_NUMBER, number, as.email, as.isAgent);
}
