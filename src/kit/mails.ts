import type { Ctx } from './ctx.js';
import type { Tx } from './store.js';

/** A mail to one person. */
export interface Mail {
  to: string;
  subject: string;
  /** Plain text; every mail has it. */
  text: string;
  html?: string;
  /** Holds what lets its reader act in somebody's name: a link with a token, a code. The outbox does not show its content once it is to leave, nor keeps it once it left. */
  confidential?: true;
  /** An iCalendar object that calendars act upon, with the method it is sent by (RFC 5546). */
  calendar?: { method: 'REQUEST' | 'CANCEL' | 'REPLY' | 'PUBLISH'; content: string };
}

/** What became of a mail. `held`: no mail server is set. `suppressed`: mail of the test mode, which never leaves. */
export type MailStatus = 'queued' | 'sent' | 'failed' | 'held' | 'suppressed';

export interface MailState {
  id: string;
  status: MailStatus;
  sent_at: Date | null;
  error: string | null;
}

/** Mails are written with the change and go out after it; nobody waits for a mail server. */
export abstract class Mails {
  /** Answers the id, by which the mail's state can be asked for. */
  abstract send(ctx: Ctx, tx: Tx, mail: Mail): Promise<string>;
  abstract states(ctx: Ctx, ids: readonly string[]): Promise<MailState[]>;
}
