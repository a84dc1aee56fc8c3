// npm run bench:desk [-- --rounds 5 --seconds 4 --only create --rows 1000000]
// Compares creating and reading tickets with a floor on the same tables, and lists of a million rows with those of 10,000.
import { hash } from 'node:crypto';
import { EXT_DESK } from '../../src/modules/desk/testing/desk-fixture.js';
import { seedDesk, type DeskTenant, type DeskTenants } from './desk-seed.js';
import { createBareDesk } from './desk-sql.js';
import { withAndWithoutKey, type Workload } from './load.js';
import { benchModule, FEW, GROWTH_GOAL, JSON_TYPE, MANY, type Comparison, type Servers } from './module-bench.js';
import type { Server } from './server.js';

const CREATE_GOAL = 0.6;
const READ_GOAL = 0.95;
/** The word of two tickets. */
const WORD = hash('md5', '77');

await benchModule({
  name: 'desk',
  heading: 'base: the same rows or reads on the floor, or the product with 10,000 rows (ratio of CPU time then)',
  seed: async (url, env) => {
    await createBareDesk(url);
    return seedDesk(url, env, { few: FEW, many: MANY });
  },
  comparisons: (servers, tenants) => [...besideFloor(servers, tenants.few), ...lists(servers.ours, tenants)],
});

function besideFloor({ floor, ours }: Servers, { authorization, organizationId, projectId }: DeskTenant): Comparison[] {
  const body = JSON.stringify({
    project_id: projectId,
    subject: 'The printer does not print',
    requester: { email: 'ada@customer.example' },
    message: 'It prints empty pages since Monday, whatever I do. '.repeat(4),
    notify: false,
  });
  const create = (server: Server, path: string): Workload => ({
    server,
    headers: server === ours ? { ...JSON_TYPE, authorization } : JSON_TYPE,
    requests: [{ method: 'POST', path }],
    nextBody: () => body,
    isExpected: (answer) => (answer as { object?: string }).object === 'ticket',
  });
  const read = (server: Server, path: string): Workload => ({
    server,
    headers: { authorization },
    requests: [{ path }],
    isExpected: (answer) => (answer as { data: unknown[] }).data.length === 25,
  });
  return [
    {
      name: 'unsolved by due time',
      goal: READ_GOAL,
      base: read(floor, `/tickets/${organizationId}`),
      ours: read(ours, `${EXT_DESK}/tickets?status_category=unsolved&sort=sla_due_at`),
    },
    ...withAndWithoutKey<Comparison>({
      name: 'create a ticket',
      goal: CREATE_GOAL,
      base: create(floor, '/tickets'),
      ours: create(ours, `${EXT_DESK}/tickets`),
    }),
  ];
}

function lists(ours: Server, { few, many }: DeskTenants): Comparison[] {
  const list = (tenant: DeskTenant, path: string, least: number): Workload => ({
    server: ours,
    headers: { authorization: tenant.authorization },
    requests: [{ path: `${EXT_DESK}/tickets?${path}` }],
    isExpected: (body) => (body as { data: unknown[] }).data.length >= least,
  });
  const paths: readonly (readonly [name: string, path: (tenant: DeskTenant) => string, least: number])[] = [
    ['newest', () => 'limit=25', 25],
    ['unsolved, what is due first', () => 'status_category=unsolved&sort=sla_due_at', 25],
    ['overdue', () => 'status_category=unsolved&sla_due_before=2026-11-24T00:00:00Z&sort=sla_due_at', 25],
    ['unsolved by priority', () => 'status_category=unsolved&sort=-priority', 25],
    ['open', () => 'status_category=open', 25],
    ['of a requester', () => 'requester_email=r-77@customer.example', 2],
    ['of an agent', ({ agentId }) => `assignee_id=${agentId}&status_category=unsolved`, 25],
    ['with a rare tag', () => 'tag=rare&status_category=unsolved', 25],
    ['by number', () => 'number=S-77', 1],
    ['search a rare word', () => `q=w${WORD}`, 2],
    ['search a common word', () => 'q=problem', 25],
    ['changed since', () => 'updated_after=2026-01-01T00:00:00Z&sort=updated_at', 25],
  ];
  return paths.map(([name, path, least]) => ({
    name: `${name}, ${MANY.toLocaleString('en')}`,
    goal: GROWTH_GOAL,
    byCost: true,
    base: list(few, path(few), least),
    ours: list(many, path(many), least),
  }));
}
