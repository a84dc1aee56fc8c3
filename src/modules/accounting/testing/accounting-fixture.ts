import type { Json } from '../../../../test/harness/api-document.js';
import type { Client } from '../../../../test/harness/client.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

export const EXT_ACCOUNTING = '/api/v1/ext/accounting';
export const ORG_ACCOUNTING = '/api/v1/org/accounting';

interface Answer {
  status: number;
  body: Json;
  text: string;
}

export interface Invoice extends Json {
  id: string;
  number: string | null;
  status: string;
  lines: { id: string; quantity: string; amount: number; net_amount: number }[];
  taxes: { rate: string; net_amount: number; tax_amount: number }[];
  totals: Record<'net_amount' | 'tax_amount' | 'gross_amount' | 'settled_amount' | 'balance_amount', number>;
}

/** The books of one project, complete enough to issue invoices, with a key that may do everything and the owner's screen. */
export class Books {
  private constructor(
    readonly app: TestApp,
    readonly workspace: Workspace,
    readonly project: string,
    readonly api: Client,
    readonly screen: Client,
    /** Ids of accounts and taxes by code. */
    readonly ids: Readonly<Record<string, string>>,
  ) {}

  static async open(app: TestApp, { workspace, mode = 'live' }: { workspace?: Workspace; mode?: 'live' | 'test' } = {}): Promise<Books> {
    const space = workspace ?? (await app.workspace());
    const project = space.eng.id;
    const screen = await space.signIn();
    const seller = { name: 'Acme GmbH', address: 'Hauptstraße 1\n10115 Berlin', email: 'billing@acme.example' };
    await expectOk(screen.patch(`${ORG_ACCOUNTING}/settings/${project}`, { seller }));
    for (const [code, rate] of [
      ['VAT19', '19'],
      ['VAT7', '7'],
    ])
      await screen.post(`${ORG_ACCOUNTING}/tax-rates`, { project_id: project, code, name: `VAT ${rate} %`, rate, category: 'S' });
    const { client: api } = await space.key({ module: 'accounting', project_id: project, mode });
    const lists = await Promise.all(['accounts', 'tax-rates'].map((list) => expectOk(api.get(`${EXT_ACCOUNTING}/${list}`))));
    const rows = lists.flatMap(({ body }) => body.data as { id: string; code: string }[]);
    return new Books(app, space, project, api, screen, Object.fromEntries(rows.map(({ id, code }) => [code, id])));
  }

  /** The body of the response; fails unless the status is a success. */
  async get(path: string): Promise<Json> {
    return (await expectOk(this.api.get(EXT_ACCOUNTING + path))).body;
  }

  async post(path: string, body: Json = {}): Promise<Json & { id: string }> {
    return (await expectOk(this.api.post(EXT_ACCOUNTING + path, body))).body as Json & { id: string };
  }

  /** Status, code and parameter of an error. */
  async refused(path: string, body: Json = {}): Promise<[number, string, string | undefined]> {
    const answer = await this.api.post(EXT_ACCOUNTING + path, body);
    const error = (answer.body as { error?: { code: string; param?: string } }).error;
    if (!error) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return [answer.status, error.code, error.param];
  }

  /** Posts an entry of two lines. */
  entry(on: string, debit: string, credit: string, amount: number, more: Json = {}): Promise<Json & { id: string }> {
    const lines = [
      { account_id: this.ids[debit], debit_amount: amount },
      { account_id: this.ids[credit], credit_amount: amount },
    ];
    return this.post('/journal-entries', { on, memo: `${debit} to ${credit}`, lines, ...more });
  }

  customer(values: Json = {}): Promise<Json & { id: string }> {
    return this.post('/customers', { name: 'Nordlys Outdoor AS', ...values });
  }

  /** A draft; each line is a price, a tax and further fields. */
  draft(customer_id: string, lines: readonly [unit_amount: number, tax: string, more?: Json][], more: Json = {}): Promise<Invoice> {
    const body = lines.map(([unit_amount, tax, fields = {}]) => ({
      description: 'Consulting',
      unit_amount,
      tax_id: this.ids[tax],
      ...fields,
    }));
    return this.post('/invoices', { customer_id, lines: body, ...more }) as Promise<Invoice>;
  }

  issue({ id }: { id: string }): Promise<Invoice> {
    return this.post(`/invoices/${id}/issue`) as Promise<Invoice>;
  }

  invoice(id: string): Promise<Invoice> {
    return this.get(`/invoices/${id}`) as Promise<Invoice>;
  }

  /** Closes or reopens the month of a day. */
  async period(day: string, action: 'close' | 'reopen'): Promise<Answer> {
    const month = `${day.slice(0, 7)}-01`;
    const { data } = await this.get(`/periods`);
    let found = (data as { id: string; month: string }[]).find((period) => period.month === month);
    found ??= (await expectOk(this.screen.post(`${ORG_ACCOUNTING}/periods`, { project_id: this.project, month }))).body as never;
    return this.screen.post(`${ORG_ACCOUNTING}/periods/${found?.id}/${action}`);
  }

  /** The columns of the trial balance by the code of the account. */
  async balances(as_of: string): Promise<Record<string, number>> {
    const { accounts } = await this.get(`/reports/trial-balance?as_of=${as_of}`);
    const rows = accounts as { code: string; debit_amount: number; credit_amount: number }[];
    return Object.fromEntries(rows.map((row) => [row.code, row.debit_amount - row.credit_amount]));
  }
}

async function expectOk(answering: Promise<Answer> | PromiseLike<Answer>): Promise<Answer> {
  const answer = await answering;
  if (answer.status >= 300) throw new Error(`Answered ${answer.status}: ${answer.text}`);
  return answer;
}
