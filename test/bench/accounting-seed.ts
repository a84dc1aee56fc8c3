import { Client } from 'pg';
import { createApp } from '../../src/app.js';
import { MODULES } from '../../src/modules.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { Books } from '../../src/modules/accounting/testing/accounting-fixture.js';
import { insideOf } from '../harness/inside.js';
import type { TestApp } from '../harness/test-app.js';
import { createWorkspace } from '../harness/workspace.js';

const NO_LIMIT = 1_000_000_000;
/** Lines of each of the two organizations whose month is open. */
const OPEN_LINES = 1_000;

/** What the measured requests need. */
export interface AccountingTenant {
  authorization: string;
  projectId: string;
  /** Drafts, each of which is issued once. */
  drafts: string[];
}

export interface AccountingTenants {
  /** Whose drafts the floor issues, and whose the product. */
  floor: AccountingTenant;
  ours: AccountingTenant;
  few: AccountingTenant;
  many: AccountingTenant;
}

/** Creates organizations through the product, and seeds their rows by SQL. */
export async function seedAccounting(
  databaseUrl: string,
  env: Record<string, string>,
  { drafts, few, many }: { drafts: number; few: number; many: number },
): Promise<AccountingTenants> {
  const config = loadConfig({ ...env, NODE_ENV: 'test', DATABASE_URL: databaseUrl });
  const app = await createApp({ config, databaseUrl, modules: MODULES });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await app.listen(0, '127.0.0.1');
    const host = { url: await app.getUrl(), inside: insideOf(app) };
    const open = async () => {
      const workspace = await createWorkspace(host);
      return Books.open(host as unknown as TestApp, { workspace });
    };
    const tenants = {
      floor: await withDrafts(client, await open(), drafts),
      ours: await withDrafts(client, await open(), drafts),
      few: await withLines(client, await open(), few),
      many: await withLines(client, await open(), many),
    };
    await client.query('VACUUM ANALYZE');
    return tenants;
  } finally {
    await client.end();
    await app.close();
  }
}

async function tenantOf({ workspace, project }: Books): Promise<AccountingTenant> {
  const { secret } = await workspace.key({ module: 'accounting', project_id: project, rate_limit_per_minute: NO_LIMIT });
  return { authorization: `Bearer ${secret}`, projectId: project, drafts: [] };
}

/** Copies of a draft with three lines. */
async function withDrafts(client: Client, books: Books, count: number): Promise<AccountingTenant> {
  const { id: customer } = await books.customer();
  const { id } = await books.draft(customer, [
    [12_000, 'VAT19', { quantity: '1.5' }],
    [990, 'VAT19'],
    [25_000, 'VAT19'],
  ]);
  const columns = async (table: string, without: string) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND column_name <> ALL ($2)`,
      [table, without.split(' ')],
    );
    return rows.map(({ name }) => name).join(', ');
  };
  await client.query('CREATE TEMP TABLE IF NOT EXISTS copies (id uuid)');
  await client.query('TRUNCATE copies');
  await client.query('INSERT INTO copies SELECT accounting_uuidv7() FROM generate_series(1, $1)', [count]);
  const invoice = await columns('accounting_invoices', 'id search');
  await client.query(
    `INSERT INTO accounting_invoices (id, ${invoice})
     SELECT c.id, ${invoice.replaceAll(/\w+/g, 'i.$&')} FROM copies c, accounting_invoices i WHERE i.id = $1`,
    [id],
  );
  const line = await columns('accounting_invoice_lines', 'id invoice_id');
  await client.query(
    `INSERT INTO accounting_invoice_lines (id, invoice_id, ${line})
     SELECT accounting_uuidv7(), c.id, ${line.replaceAll(/\w+/g, 'l.$&')} 
     FROM copies c, accounting_invoice_lines l WHERE l.invoice_id = $1`,
    [id],
  );
  const { rows } = await client.query<{ id: string }>('SELECT id FROM copies');
  return { ...(await tenantOf(books)), drafts: rows.map((row) => row.id) };
}

/** Entries of two lines: nearly all in a month that is closed then, as many as everybody's in the open one. */
async function withLines(client: Client, books: Books, count: number): Promise<AccountingTenant> {
  const today = new Date().toISOString().slice(0, 10);
  const closed = `${Number(today.slice(0, 4)) - 1}-12-15`;
  const { id } = await books.entry(today, '1100', '4000', 100);
  await books.screen.post('/api/v1/org/accounting/periods', { project_id: books.project, month: closed });
  // a million checks of entries that are known to balance take minutes
  await client.query('SET session_replication_role = replica');
  for (const [day, lines] of [
    [closed, count - OPEN_LINES],
    [today, OPEN_LINES],
  ] as const)
    await client.query(
      `WITH copied AS (
         INSERT INTO accounting_journal_entries (id, organization_id, project_id, mode, number, "on", memo, currency, exchange_rate,
           source_type, line_count, account_ids, created_by)
         SELECT accounting_uuidv7(), e.organization_id, e.project_id, e.mode, $2 || n, $2::date, e.memo, e.currency, 1, 'manual', 2,
           e.account_ids, e.created_by
         FROM accounting_journal_entries e, generate_series(1, $3::integer) AS n WHERE e.id = $1
         RETURNING id)
       INSERT INTO accounting_journal_lines (entry_id, position, organization_id, project_id, mode, posted_on, account_id, debit_amount,
         credit_amount, base_debit_amount, base_credit_amount)
       SELECT c.id, l.position, l.organization_id, l.project_id, l.mode, $2::date, l.account_id, l.debit_amount, l.credit_amount,
         l.base_debit_amount, l.base_credit_amount
       FROM copied c, accounting_journal_lines l WHERE l.entry_id = $1`,
      [id, day, lines / 2],
    );
  await client.query('SET session_replication_role = DEFAULT');
  const { status, text } = await books.period(closed, 'close');
  if (status !== 200) throw new Error(`Closing the month answered ${status}: ${text}`);
  return tenantOf(books);
}
