import { PDFDocument } from '@cantoo/pdf-lib';
import { expect } from '@jest/globals';
import type { SignaturePartyDto } from '../model/types/signature-party.dto.js';
import type { TypeInput } from './document-types.js';
import { Client, type ApiResponse } from '../../../../test/harness/client.js';
import { eventually } from '../../../../test/harness/eventually.js';
import type { Mailbox } from '../../../../test/harness/mailbox.js';
import { WorkflowFixture } from './workflow-fixture.js';
import type { TestApp } from '../../../../test/harness/test-app.js';

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

/** Documents in the signing process, and the pages of their signers. */
export class SigningFixture {
  private count = 0;

  private constructor(
    readonly workflow: WorkflowFixture,
    readonly mailbox: Mailbox,
    /** A visitor without a session. */
    readonly visitor: Client,
  ) {}

  static async open(app: TestApp, mailbox: Mailbox): Promise<SigningFixture> {
    return new SigningFixture(
      await WorkflowFixture.open(app),
      mailbox,
      new Client(app.url, { accept: 'text/html', 'user-agent': 'Test browser' }),
    );
  }

  /**
   * A finalized document whose parties have separate e-mail addresses. `approver`: who approved it first. `fields`: on a file of two
   * pages, for the customer, at the left.
   */
  async finalized(
    parties: SignaturePartyDto[] = [party('customer')],
    type: TypeInput = {},
    approver: { id: string; email: string } | null = null,
    fields: readonly object[] = [],
  ): Promise<{ id: string; customer: string; supplier: string }> {
    const input: TypeInput = { field_schema: { type: 'object', properties: FIELDS }, signature_parties: parties, ...type };
    const { code } = await (approver ? this.workflow.approvedBy([approver], input) : this.workflow.type(input));
    const tag = `${Date.now().toString(36)}-${++this.count}`;
    const [customer, supplier] = [`customer-${tag}@example.com`, `supplier-${tag}@example.com`];
    const { id } = await this.workflow.draft(code, {
      title: 'Agreement & <terms>',
      data_values: { customer: 'Ada Lovelace', customer_email: customer, supplier: 'Grace Hopper', supplier_email: supplier },
    });
    if (fields.length > 0) await this.upload(id, fields);
    if (approver) {
      ok(await this.workflow.submit(id));
      ok(await this.workflow.decide(id, 'APPROVE', approver));
    }
    ok(await this.workflow.org(id, 'finalize'));
    return { id, customer, supplier };
  }

  async sent(...given: Parameters<SigningFixture['finalized']>): Promise<{ id: string; customer: string; supplier: string }> {
    const finalized = await this.finalized(...given);
    ok(await this.workflow.org(finalized.id, 'send'));
    await this.delivered(finalized.customer, finalized.supplier);
    return finalized;
  }

  private async upload(id: string, fields: readonly object[]): Promise<void> {
    const place = await this.uploaded(id);
    ok(await place(fields));
  }

  /** Uploads a file of these pages. Returns what places fields on it, for the customer at the left if they do not say otherwise. */
  async uploaded(id: string, pages = ['Lease of a flat', 'Second page']): Promise<(fields: readonly object[]) => Promise<ApiResponse>> {
    const file = await PDFDocument.create();
    for (const text of pages) file.addPage([595, 842]).drawText(text, { x: 60, y: 760, size: 14 });
    const path = `/api/v1/org/papers/documents/${id}/file`;
    const { screen, app } = this.workflow;
    const headers = { ...screen.headers, 'content-type': 'application/pdf' };
    const { ok: isUploaded } = await fetch(app.url + path, { method: 'PUT', headers, body: new Uint8Array(await file.save()) });
    expect(isUploaded).toBe(true);
    return (fields) =>
      screen.put(`${path}/fields`, { fields: fields.map((field) => ({ party: 'customer', x: 0.1, w: 0.4, h: 0.04, ...field })) });
  }

  /** The path of the link in the mail that an address received, by the beginning of its subject. */
  async link(to: string, subject = 'Please sign', count = 1): Promise<string> {
    const { text } = await this.mailbox.newest(to, subject, count);
    return (/https?:\/\/[^/\s]+(\/s\/[\w-]{43}(?:\/pdf)?)/.exec(text) as RegExpExecArray)[1];
  }

  /** Waits until all mails to these addresses are sent and recorded as sent. */
  async delivered(...to: string[]): Promise<void> {
    const queued = () => this.workflow.app.sql.query(`SELECT 1 FROM mails WHERE recipient = ANY($1) AND status = 'queued'`, [to]);
    await eventually(queued, ({ rowCount }) => rowCount === 0);
    await this.workflow.app.runScheduledJob('documents.invitations');
  }

  post(path: string, form: Record<string, string>): Promise<ApiResponse> {
    return this.visitor.post(path, new URLSearchParams(form).toString(), FORM);
  }

  sign(link: string, form: Record<string, string> = {}): Promise<ApiResponse> {
    return this.post(`${link}/sign`, { kind: 'typed', typed_name: 'Ada Lovelace', consent: 'yes', ...form });
  }

  /** The status of each party, by key. */
  async statuses(id: string): Promise<Record<string, string>> {
    const { parties } = (await this.workflow.read(id)).signature;
    return Object.fromEntries(parties.map(({ key, status }: { key: string; status: string }) => [key, status]));
  }

  /** The message why a link is no longer valid, after checking that it allows nothing. */
  async goneReason(link: string): Promise<string> {
    const responses = [
      await this.visitor.get(link),
      await this.visitor.get(`${link}/pdf`),
      await this.visitor.get(`${link}/pages/1`),
      await this.visitor.get(`${link}/pages/1/text`),
      await this.sign(link),
      await this.post(`${link}/decline`, { reason: 'x' }),
      await this.post(`${link}/code`, {}),
    ];
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 410));
    expect(responses[0].headers['content-type']).toBe('text/html; charset=utf-8');
    return (/<p>([^<]*)<\/p>/.exec(responses[0].text) as RegExpExecArray)[1];
  }

  parties(id: string, client = this.workflow.screen): Promise<ApiResponse> {
    return client.get(`/api/v1/org/papers/documents/${id}/parties`);
  }
}

function ok(response: ApiResponse): void {
  if (response.status >= 300) throw new Error(response.text);
}
