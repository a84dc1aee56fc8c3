import type { Ctx } from '../callers/ctx.js';
import type { PageBrand } from './brands.js';
import type { SqlReader, Tx } from '../store/store.js';

/** A file that a mail carries. */
export interface MailedFile {
  fileName: string;
  /** `type/subtype`. */
  mediaType: string;
  bytes: Buffer;
}

/** A part of what a mail says. A text is a paragraph; its line breaks are kept. */
export type MailPart =
  | string
  | { facts: readonly (readonly [label: string, value: string])[]; title?: string }
  /** What a person wrote to the recipient beside what the mail says, with who they are. */
  | { quote: string; by: string }
  /** What a person wrote as the mail: empty lines separate paragraphs, and addresses of pages become links. */
  | { letter: string }
  | { list: readonly string[] }
  /** A sentence with a code to be typed. */
  | { code: string; text: string };

/** The one thing that a mail lets its reader do. */
export interface MailAction {
  url: string;
  /** The words of the button. */
  label: string;
  /** Stands before the address in the text; the label if absent. */
  lead?: string;
}

/**
 * What a mail says. The outbox makes the text and the HTML of it, in a frame that all mails have: the organization's name, logo and color,
 * a heading, at most one action, and why the recipient gets the mail.
 */
export interface MailContent {
  /** BCP 47; English by default. The frame has texts in English, German, French and Spanish. */
  language?: string;
  /** Such as `Hello Ada,`. */
  greeting?: string;
  /** The subject by default; null for none, as in a mail that a person wrote. */
  heading?: string | null;
  parts: readonly MailPart[];
  action?: MailAction;
  /** What to know about the action, below it. */
  notes?: readonly string[];
  /** Why the recipient gets it, in a sentence or two. */
  reason: string;
  /** What programs show beside the subject in a list; the first part by default. It must not contain a code. */
  preview?: string;
}

/** A mail to one recipient. */
export interface Mail {
  to: string;
  /**
   * Whom the headers To and Cc name, if the mail is one of several copies: each is written for one recipient, and all show who reads
   * along, so that "reply to all" reaches everybody.
   */
  shownRecipients?: { to: string; cc: readonly string[] };
  subject: string;
  content: MailContent;
  /** The sender's name; that of the organization if absent. The address is always that of MAIL_FROM. */
  senderName?: string;
  /** The address that replies go to; that of MAIL_FROM if absent. The mail says so. */
  replyTo?: string;
  /** The Message-ID with its angle brackets, if replies must be recognized by it; generated otherwise. */
  messageId?: string;
  /** The Message-IDs of the conversation, the oldest first: the last one is what the mail answers. */
  references?: readonly string[];
  /**
   * RFC 3834: `auto-generated` by default, so that no program replies. `auto-replied` if it answers a mail; `no` if a person sends it to
   * someone who can reply to them.
   */
  autoSubmitted?: 'no' | 'auto-generated' | 'auto-replied';
  /**
   * The permission that a member needs to read the content in the outbox, as for the resource it is about; null if no
   * permission protects it.
   */
  permission: string | null;
  /**
   * The only member besides the recipient who may read the content in the outbox, whatever permissions others have. For private content.
   */
  onlyReader?: string | null;
  /**
   * Set it if the content lets its reader act on someone's behalf, such as a link with a token or a code. The outbox hides
   * the content of such a mail once it is queued for delivery and erases it once it was sent.
   */
  confidential?: true;
  /** Stored once for all mails that carry them, and kept as long as the mails are, also after the text of a confidential one is erased. */
  files?: readonly MailedFile[];
  /** An iCalendar object with its scheduling method (RFC 5546). */
  calendar?: { method: 'REQUEST' | 'CANCEL' | 'REPLY' | 'PUBLISH'; content: string };
  /**
   * Mails to the same recipient with the same key are sent in the order in which they were written: each waits until those before it
   * were sent or have failed. Write them under a lock that they have in common, such as that of the row they are about.
   */
  sequenceKey?: string;
}

/** `held`: no mail server is configured. `suppressed`: mail of test mode, which is never sent. */
export const MAIL_STATUSES = ['queued', 'sent', 'failed', 'held', 'suppressed'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

export interface MailState {
  id: string;
  status: MailStatus;
  sent_at: Date | null;
  error: string | null;
}

/**
 * Writes mails in the transaction of a change; they are sent after the commit, so no request waits for a mail server.
 *
 * @example
 * ```ts
 * import type { Ctx, Mails, Tx } from 'work-suite/kit';
 *
 * export const invite = (mails: Mails, ctx: Ctx, tx: Tx, to: string) =>
 *   mails.send(ctx, tx, {
 *     to,
 *     subject: 'Your trip to Lyon',
 *     content: { parts: ['You leave on Monday.', { facts: [['Train', 'TGV 9580']] }], reason: 'You were added to this trip.' },
 *     permission: 'fleet.trip.view',
 *   });
 * ```
 */
export abstract class Mails {
  /** Returns the mail's id, which `states` takes. */
  abstract send(ctx: Ctx, tx: Tx, mail: Mail): Promise<string>;
  abstract states(ctx: Ctx, ids: readonly string[]): Promise<MailState[]>;
}

/** What mails show of an organization beside its name. */
export interface MailBrand {
  /** `#rrggbb`. */
  color: string | null;
  /** Identifies the content of the logo; null for none. */
  logo: string | null;
}

/** A module's provider that knows how organizations look; its manifest names it. */
export interface BrandSource {
  pageBrand(ctx: Ctx): Promise<PageBrand>;
  mailBrand(reader: SqlReader): Promise<MailBrand>;
  /** The logo with this id, a PNG or JPEG file; null if it is another one meanwhile. */
  mailLogo(reader: SqlReader, id: string, ctx: Ctx): Promise<Buffer | null>;
}
