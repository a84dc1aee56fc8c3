import { own, sql, table, type Sql, type Tx } from '../../../kit/index.js';
import { DeskMailbox } from '../model/mailbox.entity.js';
import { InboundMailRow, OutboundMailRow } from '../model/mails.entity.js';
import { Ticket } from '../model/ticket.entity.js';
import { lockFinal } from '../tickets/requester-messages.service.js';
import type { InboundMail } from '../mail/inbound/inbound-mail.js';
import { ticketNumberIn } from '../mail/conversation/message-ids.js';

const oursAmong = (projectId: string, references: readonly string[]) => sql`
  SELECT o.ticket_id AS id FROM ${table(OutboundMailRow)} o
  WHERE ${own('o')} AND o.project_id = ${projectId} AND o.message_id = ANY (${references})
  ORDER BY array_position(${references}::text[], o.message_id), o.id LIMIT 1`;

/** Who counts as the sender. An agent, whose mail was verified, takes part in all tickets. */
export interface Participant {
  email: string;
  isAgent: boolean;
}

/** Whether the sender takes part in the ticket. Mails of others are not added to it, even if they contain its number. */
const takesPart = ({ email, isAgent }: Participant) =>
  sql`(${isAgent}::boolean OR t.requester_email = ${email} OR ${email} = ANY (t.cc_emails))`;
const theirsAmong = (projectId: string, references: readonly string[], as: Participant) => sql`
  SELECT t.id FROM ${table(InboundMailRow)} i JOIN ${table(Ticket)} t ON t.id = i.ticket_id AND ${own('t')}
  WHERE ${own('i')} AND i.message_id = ANY (${references}) AND i.status = 'processed'
    AND i.mailbox_id IN (SELECT m.id FROM ${table(DeskMailbox)} m WHERE ${own('m')} AND m.project_id = ${projectId}) AND ${takesPart(as)}
  ORDER BY array_position(${references}::text[], i.message_id), i.id LIMIT 1`;
const byNumber = (projectId: string, number: string, as: Participant) => sql`
  SELECT t.id FROM ${table(Ticket)} t
  WHERE ${own('t')} AND t.project_id = ${projectId} AND t.number = ${number} AND ${takesPart(as)}`;

/**
 * The ticket that a mail belongs to, locked, or null. It is found by the Message-IDs of our mails, by those of earlier mails of
 * participants, then by the number in the subject if the sender is a participant. For a merged ticket, the final one is returned.
 */
export async function ticketOfMail(tx: Tx, projectId: string, mail: InboundMail, as: Participant | null): Promise<Ticket | null> {
  const id = await startOf(tx, projectId, mail, as);
  return id === null ? null : lockFinal(tx, id);
}

async function startOf(tx: Tx, projectId: string, { references, subject }: InboundMail, as: Participant | null): Promise<string | null> {
  const find = async (statement: Sql) => (await tx.sql<{ id: string }>(statement)).at(0)?.id ?? null;
  const ours = references.length === 0 ? null : await find(oursAmong(projectId, references));
  if (ours !== null || as === null) return ours;
  const theirs = references.length === 0 ? null : await find(theirsAmong(projectId, references, as));
  if (theirs !== null) return theirs;
  const number = ticketNumberIn(subject);
  return number === null ? null : find(byNumber(projectId, number, as));
}
