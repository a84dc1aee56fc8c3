// npm run bench:accounting [-- --rounds 5 --seconds 4 --only issue --rows 1000000]
// Compares issuing invoices with a Fastify route that writes the same rows, and reports over a million lines with those over 10,000.
import { EXT_ACCOUNTING } from '../../src/modules/accounting/testing/accounting-fixture.js';
import { seedAccounting, type AccountingTenant, type AccountingTenants } from './accounting-seed.js';
import { createBareIssue } from './accounting-sql.js';
import { withAndWithoutKey, type Workload } from './load.js';
import { benchModule, EFFORT, FEW, GROWTH_GOAL, MANY, type Comparison, type Servers } from './module-bench.js';
import type { Server } from './server.js';

/** All of them issue in one series. */
const CLIENTS = 20;
const ISSUE_GOAL = 0.5;
/** Invoices that a server issues in a second, at most. */
const FASTEST = 2_000;
/** With and without a key, those of warming up included. */
const DRAFTS = 2 * (1_000 + FASTEST * (EFFORT.rounds * EFFORT.seconds + 4));

await benchModule({
  name: 'accounting',
  heading: 'base: a Fastify route with the same statements, or the product with 10,000 lines (ratio of CPU time then)',
  // what listens to internal events runs after the request, in workers
  settings: { APP_ROLE: 'api' },
  seed: async (url, env) => {
    await createBareIssue(url);
    return seedAccounting(url, env, { drafts: DRAFTS, few: FEW, many: MANY });
  },
  comparisons,
});

function comparisons({ floor, ours }: Servers, tenants: AccountingTenants): Comparison[] {
  const issue = (server: Server, prefix: string, tenant: AccountingTenant): Workload => ({
    server,
    headers: { authorization: tenant.authorization },
    connections: CLIENTS,
    requests: [{ method: 'POST', path: prefix }],
    nextPath: nextOf(prefix, tenant.drafts),
    isExpected: (body) => typeof (body as { number?: unknown }).number === 'string',
  });
  const report = (name: string, tenant: AccountingTenant): Workload => ({
    server: ours,
    headers: { authorization: tenant.authorization },
    requests: [{ path: `${EXT_ACCOUNTING}/${name}` }],
    isExpected: (body) => typeof (body as { object?: unknown }).object === 'string',
  });
  const growth = (name: string, path: string): Comparison => ({
    name: `${name}, ${MANY.toLocaleString('en')} / 10,000`,
    goal: GROWTH_GOAL,
    byCost: true,
    base: report(path, tenants.few),
    ours: report(path, tenants.many),
  });
  return [
    ...withAndWithoutKey<Comparison>({
      name: `issue, ${CLIENTS} clients, one series`,
      goal: ISSUE_GOAL,
      base: issue(floor, '/invoices', tenants.floor),
      ours: issue(ours, `${EXT_ACCOUNTING}/invoices`, tenants.ours),
    }),
    growth('trial balance', 'reports/trial-balance'),
    growth('balance sheet', 'reports/balance-sheet'),
    growth('list of entries', 'journal-entries?limit=25'),
  ];
}

function nextOf(prefix: string, drafts: readonly string[]): () => string {
  let next = 0;
  return () => {
    if (next === drafts.length) throw new Error('More invoices were issued than there are drafts; raise FASTEST.');
    return `${prefix}/${drafts[next++]}/issue`;
  };
}
