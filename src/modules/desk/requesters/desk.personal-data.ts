import {
  ERASED_EMAIL,
  ERASED_NAME,
  ERASED_TEXT,
  own,
  personalData,
  sql,
  table,
  type Actor,
  type Person,
  type Sql,
} from '../../../kit/index.js';
import { Attachment } from '../model/attachment.entity.js';
import { InboundMailRow, OutboundMailRow } from '../model/mails.entity.js';
import { TicketMessage } from '../model/message.entity.js';
import { TicketRating } from '../model/rating.entity.js';
import { Requester } from '../model/requester.entity.js';
import { Ticket } from '../model/ticket.entity.js';

const NOBODY: Actor = { type: 'guest', id: null, email: null };

/** What a requester wrote, over the alias of messages. */
const wroteMessage = (alias: 't' | 'm', { email }: Person): Sql =>
  alias === 't' ? sql`lower(t.author_email) = ${email}` : sql`lower(m.author_email) = ${email}`;

/** What the module stores about people: those who ask for help. Tickets stay, with what agents answered. */
export const DESK_PERSONAL_DATA = [
  personalData(Attachment, {
    title: 'attachments',
    where: (person) => sql`
      t.message_id IN (SELECT m.id FROM ${table(TicketMessage)} m WHERE ${own('m')} AND ${wroteMessage('m', person)})`,
    erase: 'delete',
  }),
  personalData(TicketMessage, {
    title: 'messages',
    where: (person) => wroteMessage('t', person),
    names: ['author_name'],
    erase: { author_email: ERASED_EMAIL, author_name: ERASED_NAME, body: ERASED_TEXT, body_html: null, created_by: NOBODY },
  }),
  personalData(TicketRating, {
    title: 'ratings',
    where: ({ email }) => sql`lower(t.email) = ${email}`,
    erase: { email: ERASED_EMAIL, comment: null },
  }),
  personalData(InboundMailRow, {
    title: 'received mails',
    where: ({ email }) => sql`lower(t.from_email) = ${email}`,
    names: ['from_name'],
    erase: {
      from_email: null,
      from_name: null,
      subject: null,
      content: null,
      content_object_id: null,
      raw_until_at: null,
      quoted_text: null,
    },
  }),
  personalData(OutboundMailRow, {
    title: 'sent mails',
    where: ({ email }) => sql`lower(t.recipient) = ${email}`,
    erase: { recipient: ERASED_EMAIL, error: null },
  }),
  personalData(Ticket, {
    title: 'tickets',
    where: ({ email }) => sql`t.requester_email = ${email}`,
    names: ['requester_name'],
    erase: {
      requester_email: ERASED_EMAIL,
      requester_name: ERASED_NAME,
      subject: ERASED_TEXT,
      contact_id: null,
      external_id: null,
      satisfaction_comment: null,
      custom_fields: {},
      created_by: NOBODY,
    },
  }),
  personalData(Ticket, {
    title: 'copies of tickets',
    where: ({ email }) => sql`${email} = ANY (t.cc_emails)`,
    erase: ({ email }) => ({ cc_emails: sql`array_remove(t.cc_emails, ${email})` }),
  }),
  personalData(Requester, {
    title: 'requesters',
    where: ({ email }) => sql`t.email = ${email}`,
    names: ['name'],
    erase: { email: sql`'erased-' || t.id || '@erased.invalid'`, name: null, contact_id: null, custom_fields: {} },
  }),
];
