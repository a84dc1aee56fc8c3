import { Injectable, Logger } from '@nestjs/common';
import { serverFaultOf, type ServerFault, type SmtpError } from './smtp-faults.js';
import { LogInterval } from '../logging/log-interval.js';

const FIRST_PAUSE_MS = 5_000;
const PAUSE_FACTOR = 3;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** Mails that are denied show it themselves. */
const DENIALS_LOGGED_EVERY_MS = 10 * 60_000;

/** How the mail server did when this process last used it, and whether mails wait that it did not take from us. */
export interface MailServerState {
  /** `none`: SMTP_URL is not set. `unknown`: this process has sent no mail yet, or is one that sends none. */
  status: 'none' | 'unknown' | 'working' | 'failing';
  /**
   * Why it accepts no mail, or did not take the recipients of some from us: `authentication` means a wrong user or password, `refusal` also
   * that it does not relay for us. Null unless it fails.
   */
  fault: ServerFault | null;
  /** Since when it has this status. */
  since: Date | null;
}

/** The state of the mail server. While it fails, one mail at a time tries it, after pauses that become longer. */
@Injectable()
export class MailServer {
  private readonly log = new Logger('Mail');
  private current: MailServerState;
  private failures = 0;
  private pausedUntil = 0;
  private readonly denials = new LogInterval(DENIALS_LOGGED_EVERY_MS);

  constructor(isConfigured: boolean) {
    this.current = { status: isConfigured ? 'unknown' : 'none', fault: null, since: null };
  }

  get state(): MailServerState {
    return this.current;
  }

  /** How many of `most` mails may be in flight now. */
  capacity(most: number): number {
    if (this.current.status === 'working') return most;
    return performance.now() < this.pausedUntil ? 0 : 1;
  }

  /** It accepted a mail, or refused one for its own sake. */
  worked(): void {
    if (this.current.status === 'working') return;
    if (this.current.status === 'failing') this.log.log('The mail server works again');
    this.failures = 0;
    // the next failure is news, not one of the mails that failed together
    this.pausedUntil = 0;
    this.current = { status: 'working', fault: null, since: new Date() };
  }

  /** Returns after how many milliseconds to try again. Mails that were in flight together count once. */
  failed(error: SmtpError): number {
    const left = this.pausedUntil - performance.now();
    if (left > 0) return left;
    const pause = Math.min(FIRST_PAUSE_MS * PAUSE_FACTOR ** this.failures++, LONGEST_PAUSE_MS);
    this.pausedUntil = performance.now() + pause;
    const fault = this.fail(error);
    this.log.error(`The mail server fails (${fault}); mails wait, and it is tried again in ${pause / 1_000} s: ${error.message}`);
    return pause;
  }

  /** It does not take a recipient from us. Others may be served, so that nothing waits for this one, which says so while it is queued. */
  denied(error: SmtpError): void {
    this.worked();
    if (!this.denials.allows()) return;
    const fault = serverFaultOf(error);
    this.log.error(`The mail server takes no mail from us for some recipients (${fault}); they are tried again later: ${error.message}`);
  }

  private fail(error: SmtpError): ServerFault {
    const fault = serverFaultOf(error);
    const { status, since } = this.current;
    this.current = { status: 'failing', fault, since: status === 'failing' ? since : new Date() };
    return fault;
  }
}
