import { expect } from '@jest/globals';
import type { SignaturePartyDto } from '../../src/modules/documents/model/types/signature-party.dto.js';
import type { TypeInput } from './document-types.js';
import { Client, type Answer } from './client.js';
import { eventually } from './eventually.js';
import type { Mailbox } from './mailbox.js';
import { Papers } from './papers.js';
import type { TestApp } from './test-app.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
const FIELDS = {
  customer: { type: 'string' },
  customer_email: { type: 'string' },
  supplier: { type: 'string' },
  supplier_email: { type: 'string' },
} as const;

export function party(key: 'customer' | 'supplier', given: Partial<SignaturePartyDto> = {}): SignaturePartyDto {
  return {
    key,
    label: key === 'customer' ? 'Customer' : 'Supplier',
    order: 1,
    kind: 'external',
    name_from: key,
    email_from: `${key}_email`,
    required: true,
    auth: 'link',
    ...given,
  };
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
  async finalized(
    parties: SignaturePartyDto[] = [party('customer')],
    type: TypeInput = {},
  ): Promise<{ id: string; customer: string; supplier: string }> {
    const { code } = await this.papers.type({ field_schema: { type: 'object', properties: FIELDS }, signature_parties: parties, ...type });
    const tag = `${Date.now().toString(36)}-${++this.count}`;
    const [customer, supplier] = [`customer-${tag}@example.com`, `supplier-${tag}@example.com`];
    const { id } = await this.papers.draft(code, {
      title: 'Agreement & <terms>',
      data_values: { customer: 'Ada Lovelace', customer_email: customer, supplier: 'Grace Hopper', supplier_email: supplier },
    });
    ok(await this.papers.org(id, 'finalize'));
    return { id, customer, supplier };
  }

  async sent(parties?: SignaturePartyDto[], type?: TypeInput): Promise<{ id: string; customer: string; supplier: string }> {
    const finalized = await this.finalized(parties, type);
    ok(await this.papers.org(finalized.id, 'send'));
    return finalized;
  }

  /** The path of the link in the mail that this address got, by the beginning of its subject. */
  async link(to: string, subject = 'Please sign', count = 1): Promise<string> {
    const { text } = await this.mailbox.newest(to, subject, count);
    return (/https?:\/\/[^/\s]+(\/s\/[\w-]{43}(?:\/pdf)?)/.exec(text) as RegExpExecArray)[1];
  }

  /** Waits until the mail server has taken all that goes to these addresses, and it is known of. */
  async delivered(...to: string[]): Promise<void> {
    const queued = () => this.papers.app.sql.query(`SELECT 1 FROM mails WHERE recipient = ANY($1) AND status = 'queued'`, [to]);
    await eventually(queued, ({ rowCount }) => rowCount === 0, 10_000);
    await this.papers.app.runScheduledJob('documents.invitations');
  }

  post(path: string, form: Record<string, string>): Promise<Answer> {
    return this.visitor.post(path, new URLSearchParams(form).toString(), FORM);
  }

  sign(link: string, form: Record<string, string> = {}): Promise<Answer> {
    return this.post(`${link}/sign`, { kind: 'typed', typed_name: 'Ada Lovelace', consent: 'yes', ...form });
  }

  /** What has become of each party, by key. */
  async statuses(id: string): Promise<Record<string, string>> {
    const { parties } = (await this.papers.read(id)).signature;
    return Object.fromEntries(parties.map(({ key, status }: { key: string; status: string }) => [key, status]));
  }

  /** The sentence that tells why a link has ended, after checking that nothing can be done with it. */
  async goneReason(link: string): Promise<string> {
    const answers = [
      await this.visitor.get(link),
      await this.visitor.get(`${link}/pdf`),
      await this.sign(link),
      await this.post(`${link}/decline`, { reason: 'x' }),
      await this.post(`${link}/code`, {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([410, 410, 410, 410, 410]);
    expect(answers[0].headers['content-type']).toBe('text/html; charset=utf-8');
    return (/<p>([^<]*)<\/p>/.exec(answers[0].text) as RegExpExecArray)[1];
  }

  parties(id: string, client = this.papers.screen): Promise<Answer> {
    return client.get(`/api/v1/org/papers/documents/${id}/parties`);
  }
}

function ok(answer: Answer): void {
  if (answer.status >= 300) throw new Error(answer.text);
}
