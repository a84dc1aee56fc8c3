import { createHash } from 'node:crypto';
import { objectSha256, own, sql, table, type Tx } from '../../../kit/index.js';
import type { InboundMail } from '../mail/inbound/inbound-mail.js';
import { Attachment } from '../model/attachment.entity.js';
import { DeskMailbox } from '../model/mailbox.entity.js';
import { TicketMessage } from '../model/message.entity.js';
import { InboundMailRow } from '../model/mails.entity.js';
import { withoutNotices } from './mail-notices.js';

/** What a mail became that was received before. */
interface Twin {
  project_id: string;
  ticket_id: string;
  ticket_message_id: string;
  from_email: string | null;
  author_email: string | null;
  subject: string | null;
  /** With what it quoted. */
  text: string;
  /** SHA-256 of each. */
  files: string[];
}

const MOST_TWINS = 20;
const SIGNATURE = /^application\/(?:x-)?(?:pkcs7|pgp)-signature$/;
/** Words for answers and forwarded mails, and what lists and gateways put before a subject: `Re: [Sales] AW: `. */
const PREFIX = /^(?:\s|(?:re|aw|antw?|sv|vs|ref|rif|odp|fwd?|wg|tr|rv|i|enc|vb|doorst)(?:\[\d{1,3}\])?\s?[:：]|\[[^\]]{0,80}\])+/iu;

/** What a gateway puts before a subject: `EXTERN: `, `***SPAM*** `. */
const MARK = /^[^:*]{0,40}[:*]+ $/;

const twinsOf = ({ id, message_id }: InboundMailRow) => sql.inAllProjects('a mail may reach mailboxes of several projects')`
  SELECT i.project_id, i.ticket_id, i.ticket_message_id, i.from_email, i.subject, m.author_email,
    concat_ws(E'\\n\\n', m.body, i.quoted_text) AS text,
    ARRAY (SELECT coalesce(${objectSha256('a', 'content_object_id')}, encode(sha256(a.content), 'hex'))
      FROM ${table(Attachment)} a WHERE ${own('a')} AND a.message_id = m.id) AS files
  FROM ${table(InboundMailRow)} i JOIN ${table(TicketMessage)} m ON m.id = i.ticket_message_id AND ${own('m')}
  WHERE ${own('i')} AND i.message_id = ${message_id} AND i.status = 'processed' AND i.id <> ${id}
    AND i.mailbox_id IN (SELECT b.id FROM ${table(DeskMailbox)} b WHERE ${own('b')})
  ORDER BY i.id LIMIT ${MOST_TWINS}`;

/**
 * What became of the same mail, which came to a mailbox of the organization by another route; null if nothing did. A Message-ID alone
 * proves nothing: programs use one again, and whoever knows it can write it. The mail must also name the same author, and all that it says
 * and carries must be on the ticket already. Lists and gateways may have put something before the subject, known notices around the text,
 * and their own address into From. Any other text may be what nobody has read yet.
 */
export async function twinOf(
  tx: Tx,
  row: InboundMailRow,
  mail: InboundMail,
  written: { by: string | null; body: string },
): Promise<Twin | null> {
  const authors = [mail.from?.email, written.by];
  const said = `${written.body}\n\n${mail.quoted ?? ''}`;
  const twins = await tx.sql<Twin>(twinsOf(row));
  return (
    twins.find(({ from_email, author_email, subject, text, files }) => {
      const isOfAuthor = [from_email, author_email].some((email) => email !== null && authors.includes(email));
      return isOfAuthor && isSameSubject(mail.subject, subject ?? '') && isSameText(said, text) && hasFiles(files, mail);
    }) ?? null
  );
}

function isSameSubject(one: string, other: string): boolean {
  const [shorter, longer] = [withoutPrefix(one), withoutPrefix(other)].sort((a, b) => a.length - b.length);
  return shorter === longer || (shorter !== '' && longer.endsWith(` ${shorter}`) && MARK.test(longer.slice(0, -shorter.length)));
}

function withoutPrefix(subject: string): string {
  return words(subject.replace(PREFIX, '')).toLowerCase();
}

function isSameText(one: string, other: string): boolean {
  if (words(one) === words(other)) return true;
  const [left, right] = [one, other].map((text) => words(withoutNotices(text)));
  return left !== '' && left === right;
}

function words(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function hasFiles(known: readonly string[], { files }: InboundMail): boolean {
  return files.every(
    ({ mediaType, bytes }) => SIGNATURE.test(mediaType) || known.includes(createHash('sha256').update(bytes).digest('hex')),
  );
}
