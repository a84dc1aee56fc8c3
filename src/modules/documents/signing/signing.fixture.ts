import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { TestApp } from '../../../../test/kit/app.js';
import { Client, type Answer } from '../../../../test/kit/client.js';
import { eventually } from '../../../../test/kit/eventually.js';
import { Papers } from '../../../../test/kit/papers.js';
import type { SignaturePartyDto } from '../types/type-definition.dto.js';
import type { TypeInput } from '../types/document-type.factory.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
const FIELDS = { customer: { type: 'string' }, customer_email: { type: 'string' }, supplier: { type: 'string' }, supplier_email: { type: 'string' } };

export interface ReceivedMail {
  to: string;
  subject: string;
  text: string;
}

/** A mail server on 127.0.0.1 that keeps what it takes. */
export class Mailbox {
  readonly received: ReceivedMail[] = [];
  private readonly server = new SMTPServer({
    authOptional: true, disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        this.received.push({ to: envelope.rcptTo[0].address, ...read(Buffer.concat(chunks).toString('latin1')) });
        callback();
      });
    },
  });

  static async start(): Promise<Mailbox> {
    const mailbox = new Mailbox();
    mailbox.server.listen(0, '127.0.0.1');
    await once(mailbox.server.server, 'listening');
    return mailbox;
  }

  get env(): Record<string, string> {
    return { SMTP_URL: `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`, MAIL_FROM: 'suite@example.com', QUEUE_RECONCILE_MS: '200' };
  }

  /** The newest mail to an address whose subject begins so, once it is there. */
  async newest(to: string, subject: string, count = 1): Promise<ReceivedMail> {
    const all = await eventually(async () => this.received.filter((mail) => mail.to === to && mail.subject.startsWith(subject)), ({ length }) => length >= count, 10_000);
    if (all.length < count) throw new Error(`${to} got ${all.length} of ${count} mails "${subject}": ${JSON.stringify(this.received.filter((mail) => mail.to === to))}`);
    return all[count - 1];
  }

  /** The path of the link that such a mail holds. */
  async link(to: string, subject = 'Please sign', count = 1): Promise<string> {
    const { text } = await this.newest(to, subject, count);
    return (/https?:\/\/[^/\s]+(\/s\/[\w-]{43}(?:\/pdf)?)/.exec(text) as RegExpExecArray)[1];
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

function read(source: string): { subject: string; text: string } {
  const [head, body] = [source.slice(0, source.indexOf('\r\n\r\n')), source.slice(source.indexOf('\r\n\r\n') + 4)];
  const subject = (/^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(head) as RegExpExecArray)[1].replace(/\r\n[ \t]/g, ' ');
  const isQuoted = /^Content-Transfer-Encoding: quoted-printable/im.test(head);
  const bytes = isQuoted ? body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))) : body;
  return { subject, text: Buffer.from(bytes, 'latin1').toString('utf8') };
}

export function party(key: 'customer' | 'supplier', given: Partial<SignaturePartyDto> = {}): SignaturePartyDto {
  return { key, label: key === 'customer' ? 'Customer' : 'Supplier', order: 1, kind: 'external', name_from: key, email_from: `${key}_email`, required: true, auth: 'link', ...given };
}

/** Documents on their way to being signed, and the pages of those who sign them. */
export class SigningDesk {
  private count = 0;

  private constructor(
    readonly papers: Papers,
    readonly mailbox: Mailbox,
    /** Somebody in a browser. */
    readonly visitor: Client,
  ) {}

  static async open(app: TestApp, mailbox: Mailbox): Promise<SigningDesk> {
    return new SigningDesk(await Papers.open(app), mailbox, new Client(app.url, { accept: 'text/html', 'user-agent': 'Test browser' }));
  }

  /** A finalized document whose parties have addresses of their own. */
  async finalized(parties: SignaturePartyDto[] = [party('customer')], type: TypeInput = {}): Promise<{ id: string; customer: string; supplier: string }> {
    const { code } = await this.papers.type({ field_schema: { type: 'object', properties: FIELDS }, signature_parties: parties, ...type });
    const tag = `${Date.now().toString(36)}-${++this.count}`;
    const [customer, supplier] = [`customer-${tag}@example.com`, `supplier-${tag}@example.com`];
    const { id } = await this.papers.draft(code, { title: 'Agreement & <terms>', data_values: { customer: 'Ada Lovelace', customer_email: customer, supplier: 'Grace Hopper', supplier_email: supplier } });
    ok(await this.papers.org(id, 'finalize'));
    return { id, customer, supplier };
  }

  async sent(parties?: SignaturePartyDto[], type?: TypeInput): Promise<{ id: string; customer: string; supplier: string }> {
    const finalized = await this.finalized(parties, type);
    ok(await this.papers.org(finalized.id, 'send'));
    return finalized;
  }

  post(path: string, form: Record<string, string>): Promise<Answer> {
    return this.visitor.post(path, new URLSearchParams(form).toString(), FORM);
  }

  sign(link: string, form: Record<string, string> = {}): Promise<Answer> {
    return this.post(`${link}/sign`, { kind: 'typed', typed_name: 'Ada Lovelace', consent: 'yes', ...form });
  }

  parties(id: string, client = this.papers.screen): Promise<Answer> {
    return client.get(`/api/v1/org/papers/documents/${id}/parties`);
  }
}

function ok(answer: Answer): void {
  if (answer.status >= 300) throw new Error(answer.text);
}
