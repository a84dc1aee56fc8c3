import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { partsOf } from './mime.js';
import { eventually } from './eventually.js';

export interface ReceivedMail {
  from: string;
  to: string;
  subject: string;
  text: string;
  /** As it was transferred. */
  source: string;
}

/**
 * A mail server on 127.0.0.1 that stores received mails.
 *
 * @example
 * ```ts
 * import { Mailbox, ownApp } from 'work-suite/testing';
 *
 * const mailbox = await Mailbox.start();
 * export const app = await ownApp({ env: { ...mailbox.env, MAIL_FROM: 'Notes <notes@example.com>' } });
 * ```
 */
export class Mailbox {
  readonly received: ReceivedMail[] = [];
  /** The codes with which it rejects recipients, and how often. */
  readonly rejections = new Map<string, { code: number; times: number }>();
  /** For addresses, when it confirms that it has received a mail. */
  readonly delays = new Map<string, Promise<void>>();
  /** Called when a mail is about to be sent to an address; the server does not answer then. */
  onRecipient: ((address: string) => void) | null = null;
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    // at its end it waits for the connections that the application keeps open
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, callback) => {
      if (this.onRecipient) return this.onRecipient(address);
      const rejection = this.rejections.get(address);
      if (!rejection || rejection.times-- <= 0) return callback();
      const message = rejection.code < 500 ? 'try again later' : 'no such mailbox';
      callback(Object.assign(new Error(message), { responseCode: rejection.code }));
    },
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const content = Buffer.concat(chunks);
        const { address: from } = envelope.mailFrom as { address: string };
        const parts = read(content.toString('latin1'));
        const to = envelope.rcptTo[0].address;
        this.received.push({ from, to, ...parts, source: content.toString('utf8') });
        void Promise.resolve(this.delays.get(to)).then(() => callback());
      });
    },
  });

  static async start(port = 0): Promise<Mailbox> {
    const mailbox = new Mailbox();
    // a sender that is killed resets its connection
    mailbox.server.on('error', () => undefined);
    mailbox.server.listen(port, '127.0.0.1');
    await once(mailbox.server.server, 'listening');
    return mailbox;
  }

  /** It then does not keep the process from ending. */
  unref(): this {
    this.server.server.unref();
    return this;
  }

  get env(): Record<string, string> {
    return {
      SMTP_URL: `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`,
      MAIL_FROM: 'suite@example.com',
      // retries are not awaited for long, and polling costs more the more often it happens
      QUEUE_RECONCILE_MS: '1000',
    };
  }

  /** Waits for a mail to an address whose subject begins with a text, and returns the newest one. */
  async newest(to: string, subject: string, count = 1): Promise<ReceivedMail> {
    const all = await eventually(
      async () => this.received.filter((mail) => mail.to === to && mail.subject.startsWith(subject)),
      ({ length }) => length >= count,
    );
    if (all.length < count)
      throw new Error(
        `${to} got ${all.length} of ${count} mails "${subject}": ${JSON.stringify(this.received.filter((mail) => mail.to === to))}`,
      );
    return all[count - 1];
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

function read(source: string): { subject: string; text: string } {
  const head = source.slice(0, source.indexOf('\r\n\r\n'));
  const subject = (/^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(head) as RegExpExecArray)[1].replace(/\r\n[ \t]/g, ' ');
  // what people without HTML read
  const part = partsOf(source).find(({ type }) => type === 'text/plain');
  return { subject, text: part?.text ?? '' };
}
