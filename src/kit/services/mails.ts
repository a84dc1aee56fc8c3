import type { Ctx } from '../callers/ctx.js';
import type { Tx } from '../store/store.js';

/** A mail to one recipient. */
/** A file that a mail carries. */
export interface MailedFile {
  fileName: string;
  /** `type/subtype`. */
  mediaType: string;
  bytes: Buffer;
}

export interface Mail {
  to: string;
  /**
   * Whom the headers To and Cc name, if the mail is one of several copies: each is written for one recipient, and all show who reads
   * along, so that "reply to all" reaches everybody.
   */
  shownRecipients?: { to: string; cc: readonly string[] };
  subject: string;
  /** Plain text; every mail has it. */
  text: string;
  html?: string;
  /** The sender's name; that of MAIL_FROM if absent. The address is always that of MAIL_FROM. */
  senderName?: string;
  /** The address that answers go to; that of the suite if absent. */
  replyTo?: string;
  /** The Message-ID with its angle brackets, if replies must be recognized by it; generated otherwise. */
  messageId?: string;
  /** The Message-IDs of the conversation, the oldest first: the last one is what the mail answers. */
  references?: readonly string[];
  /** Set it if no person caused the mail (RFC 3834), so that no program answers it; `auto-replied` if it answers a mail. */
  autoSubmitted?: 'auto-generated' | 'auto-replied';
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

/** Writes mails in the transaction of a change; they are sent after the commit, so no request waits for a mail server. */
export abstract class Mails {
  /** Returns the mail's id, which `states` takes. */
  abstract send(ctx: Ctx, tx: Tx, mail: Mail): Promise<string>;
  abstract states(ctx: Ctx, ids: readonly string[]): Promise<MailState[]>;
}
