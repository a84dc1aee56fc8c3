import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { MembersService } from '../../src/platform/people/members/members.service.js';
import { ApiDocument, type ApiOperation, type Json } from '../harness/api-document.js';
import { Books } from '../../src/modules/accounting/testing/accounting-fixture.js';
import { EXT_INVENTORY, locationsOf, makeItem, move } from '../../src/modules/inventory/testing/inventory-fixture.js';
import { Staff } from '../../src/modules/hr/testing/hr-fixture.js';
import { BookingFixture } from '../../src/modules/schedule/testing/booking-fixture.js';
import { makeType } from '../../src/modules/documents/testing/document-types.js';
import { ownApp } from '../harness/hosted-app.js';
import { EXT_DESK, makeAgent, makeTicket, ORG_DESK } from '../../src/modules/desk/testing/desk-fixture.js';
import { makeOrder, makeProduct, makeShop } from '../../src/modules/storefront/testing/storefront-fixture.js';
import { PASSWORD, type Workspace } from '../harness/workspace.js';
import { APPROVER, Arbitraries, IdPool, TYPE_CODE } from './arbitraries.js';

/** The default seed makes runs reproducible; set `PROPERTY_SEED` and `PROPERTY_RUNS` to explore more inputs. */
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_121);
const RUNS = Number(process.env.PROPERTY_RUNS ?? 60);
/** Fewer runs, because public routes such as sign-in are rate-limited by address. */
const PRODUCT_RUNS = Math.min(RUNS, 12);
/** Operations that may sign out their caller or lock out other members, so each gets an organization of its own. */
const ISOLATED = /^\/api\/v1\/org\/(session|members)/;
/** Operations that few arbitrary calls can satisfy, with the reason. The specs of their modules test them. */
const RARELY_SUCCEED: Readonly<Record<string, string>> = {
  replace_document: 'Only documents that cannot proceed are replaced.',
  delete_document: 'Only drafts are deleted, and the other calls finalize most.',
  create_bulk_send: 'Only types with parties that need no approval, for keys of members who may send.',
  get_bulk_send: 'As create_bulk_send, which makes them.',
  create_document_signing_link: 'Only documents that a party is asked to sign.',
  remind_document: 'Only documents that wait for somebody, each person once an hour.',
  create_event: 'Most combinations of its times contradict each other.',
  list_absences: 'Most pairs of days are more than a year apart or in the wrong order.',
  create_journal_entry: 'The debits and credits of arbitrary lines are not equal.',
  create_invoice: 'Customer, taxes and accounts must be of one project, and dates and currencies must fit.',
  create_credit_note: 'The lines must be those of the very invoice.',
  record_payment: 'Most days are in the future or the amount exceeds the balance.',
  apply_credit: 'The credit must be one of the very customer.',
  import_items: 'The body is a CSV file.',
  import_stock_counts: 'The body is a CSV file.',
  import_products: 'The body is a CSV file.',
  record_stock_movement: 'Item, location, lot and reservation must be of one project, and the quantity must be there.',
  create_stock_reservation: 'As record_stock_movement.',
  transfer_stock: 'As record_stock_movement, for each line.',
  remove_event_invitee: 'The invitee must be one of this very event.',
  cancel_fulfillment: 'The parcel must be one of this very order.',
  refund_order: 'Only what was paid before, and few calls pay.',
  create_product: 'Its options, prices and items must fit together.',
  put_product_variant: 'As create_product.',
  place_order: 'Only drafts that have all that is needed.',
  cancel_order: 'Only what was placed and not shipped.',
  merge_ticket: 'Both must be open and of one project and mode, and each call closes one.',
  reply_to_ticket: 'A text and a canned response exclude each other, and the status must be one of the very project.',
};
/** Look-ups whose ids the routes of every module name. In a new organization, others have no rows yet. */
const SHARED = ['members', 'projects'];
const SLOW = 120_000 + RUNS * 1_000;

/** Compression is tested elsewhere, and takes time. */
const IDENTITY = { 'accept-encoding': 'identity' };

interface Request {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
}

// its rows are arbitrary, so other test files should not find them
const app = await ownApp();
const { modules } = await app.inside<typeof import('./declarations.js')>('test/contract/declarations.ts').declarations();
const documents = { keyed: await servedAs('openapi.json'), product: await servedAs('openapi.org.json') };

async function servedAs(name: string): Promise<ApiDocument> {
  return new ApiDocument((await (await fetch(`${app.url}/${name}`)).json()) as Json);
}

describe('a malformed path', () => {
  test.each(['/%zz', '/api/v1/ext/tasks/tasks/%E0%A4%A', `/api/v1/ext/tasks/tasks/${'x'.repeat(8_000)}`])(
    '%# returns 404 in the error envelope',
    async (path) => {
      const workspace = await app.workspace();
      const response = await fetch(app.url + path, { headers: (await workspace.key()).client.headers });
      const { error } = (await response.json()) as { error: Json };
      expect([response.status, error.code, error.request_id]).toEqual([404, 'not_found', response.headers.get('request-id')]);
    },
  );
});

/** No input may cause a 5xx or a response that the OpenAPI document does not declare. */
describe(`responses to arbitrary input match the OpenAPI document (PROPERTY_SEED=${SEED})`, () => {
  test(
    'for API keys',
    async () => {
      const api = documents.keyed;
      const workspace = await app.workspace();
      const pool = new IdPool();
      pool.harvest([workspace.eng, workspace.ops].map(({ id }) => ({ object: 'project', id })));
      await prepareDocuments(workspace);
      await prepareSchedule(workspace);
      await prepareAccounting(workspace);
      await prepareStorefront(workspace, pool);
      await prepareInventory(workspace);
      await prepareHr(workspace);
      await prepareDesk(workspace, pool);
      const statuses = new Map<string, Set<number>>();
      // webhooks first, because other modules read what they store
      const isWebhook = (scopes: object) =>
        api.operations.some(({ path, source }) => path.startsWith('/api/v1/webhooks/') && scopeOf(source) in scopes);
      const ordered = modules.toSorted((a, b) => Number(isWebhook(b.scopes)) - Number(isWebhook(a.scopes)));
      for (const { name, scopes } of ordered) {
        const operations = inUsefulOrder(api.operations.filter(({ source }) => scopeOf(source) in scopes));
        const callers = await keysOf(workspace, name);
        await fillPool(operations, pool, callers[0]);
        for (const operation of operations) statuses.set(operation.id, await checkResponses(api, operation, pool, callers, RUNS));
      }
      expect([...statuses.keys()].sort()).toEqual(api.operations.map(({ id }) => id).sort());
      // each operation must have succeeded at least once, or its handler was hardly tested
      const failed = [...statuses].filter(([, seen]) => ![...seen].some((status) => status < 300)).map(([id]) => id);
      expect(failed.filter((id) => !(id in RARELY_SUCCEED))).toEqual([]);
    },
    SLOW,
  );

  test(
    'for signed-in members',
    async () => {
      const api = documents.product;
      // the lists with ids, which are the same in each new organization
      let sources: ApiOperation[] | undefined;
      for (const operations of Map.groupBy(api.operations, ({ id, path }) =>
        ISOLATED.test(path) ? id : path.split('/').slice(0, 6).join('/'),
      ).values()) {
        // one organization per group, so that related operations share data and unrelated ones do not interfere
        const workspace = await app.workspace();
        const pool = new IdPool();
        const caller = (await workspace.signIn()).headers;
        const module = moduleOf(operations[0]);
        const found = await fillPool(
          sources?.filter((source) => [module, ...SHARED].includes(moduleOf(source))) ?? api.operations,
          pool,
          caller,
        );
        sources ??= found;
        for (const operation of inUsefulOrder(operations)) await checkResponses(api, operation, pool, [caller], PRODUCT_RUNS);
      }
      expect(api.operations.length).toBeGreaterThan(10);
    },
    SLOW,
  );
});

/** Creates what API keys cannot, the configuration, and orders in each mode. */
async function prepareStorefront(workspace: Workspace, pool: IdPool): Promise<void> {
  const shop = await makeShop(await workspace.signIn(), workspace.eng.id);
  for (const mode of ['live', 'test'] as const) {
    const { client } = await workspace.key({ module: 'storefront', mode });
    const { variants } = await makeProduct(client, shop.projectId, 'chair');
    pool.harvest(variants.map(({ id }) => ({ object: 'product_variant', id })));
    for (let count = 0; count < 5; count++) await makeOrder(client, shop, [{ variant_id: variants[0].id, quantity: 1 }]);
  }
}

/** People with leave, whom keys only read. */
async function prepareHr(workspace: Workspace): Promise<void> {
  for (const mode of ['live', 'test'] as const) {
    const staff = await Staff.open(app, { workspace, mode });
    const { id: department_id } = await staff.department(`Department ${mode}`);
    for (let count = 0; count < 3; count++) {
      const employee = await staff.employee({ department_id });
      await staff.leave(employee, 'Unpaid leave', '2027-03-01', '2027-03-05');
      await staff.leave(employee, 'Sick leave', '2027-04-05', '2027-04-06');
    }
  }
}

/** Creates what API keys cannot, agents and files, and tickets that are left to do in each mode. */
async function prepareDesk(workspace: Workspace, pool: IdPool): Promise<void> {
  const owner = await workspace.signIn();
  const desk = app.inside<typeof import('../../src/modules/desk/testing/desk-mails.js')>('src/modules/desk/testing/desk-mails.ts');
  const { id: projectId } = workspace.eng;
  const assignee_id = await makeAgent(owner, projectId, workspace.owner.id);
  await owner.post(`${ORG_DESK}/canned-responses`, { project_id: projectId, name: 'Hello', body: 'Hello' });
  for (const mode of ['live', 'test'] as const) {
    const { client } = await workspace.key({ module: 'desk', mode });
    for (let count = 0; count < 20; count++) await makeTicket(client, projectId, { assignee_id });
    const { data } = (await client.get(`${EXT_DESK}/queues?project_id=${projectId}`)).body as { data: { id: string }[] };
    const file = { projectId, queueId: data[0].id, mediaType: 'text/plain', content: 'PC LOAD LETTER' };
    const { attachmentId } = await desk.openWithFile(workspace.ctx(mode), file);
    pool.harvest({ object: 'ticket_attachment', id: attachmentId });
  }
}

/** Items with much stock, reservations and open transfers in each mode, because arbitrary quantities exceed what there is. */
async function prepareInventory(workspace: Workspace): Promise<void> {
  const project_id = workspace.eng.id;
  for (const mode of ['live', 'test'] as const) {
    const { client } = await workspace.key({ module: 'inventory', mode, project_id });
    const { MAIN, QUARANTINE } = await locationsOf(client, project_id);
    for (let count = 0; count < 5; count++) {
      const { id: item_id } = await makeItem(client, { sku: `stock-${count}`, quantity_scale: 6 });
      await move(client, { kind: 'receipt', item_id, location_id: MAIN, quantity: '900000000000' });
      await client.post(`${EXT_INVENTORY}/reservations`, { item_id, quantity: '1', reference: `order-${count}` });
      const lines = [{ item_id, quantity: '2' }];
      await client.post(`${EXT_INVENTORY}/transfers`, { from_location_id: MAIN, to_location_id: QUARANTINE, lines, in_transit: true });
    }
  }
}

/** Creates what API keys cannot: a document type, finalized documents with obligations, a report, an approver. */
async function prepareDocuments(workspace: Workspace): Promise<void> {
  await app
    .service<MembersService>('MembersService')
    .create(workspace.ctx(), { email: APPROVER, name: 'Approver', role: 'admin', password: PASSWORD });
  const screen = await workspace.signIn();
  await screen.post('/api/v1/org/papers/reports', { name: 'All', dataset: 'documents', columns: ['title'], shared: true });
  await makeType(app, workspace.ctx(), {
    code: TYPE_CODE,
    obligation_rules: [{ title: 'Report', kind: 'report', side: 'us', due_after_days: 30, reminder_days: [] }],
  });
  for (const mode of ['live', 'test'] as const) {
    const { client } = await workspace.key({ module: 'documents', mode, actor_user_id: workspace.owner.id });
    const { id } = (
      await client.post('/api/v1/ext/papers/documents', { type_code: TYPE_CODE, title: 'Note', project_id: workspace.eng.id })
    ).body;
    await client.patch(`/api/v1/ext/papers/documents/${id}/workflow/status`, {
      action: 'TRANSITION',
      lifecycle_action: 'finalize',
      approver_email: APPROVER,
    });
  }
}

/** A calendar with a room, a booking page and bookings. */
async function prepareSchedule(workspace: Workspace): Promise<void> {
  const bookings = await BookingFixture.open(app, { resources: [{ name: 'Room Ada' }] }, workspace);
  for (const slot of (await bookings.slots()).slice(0, 5)) await bookings.book(slot);
}

/** Books with drafts, issued invoices, payments and entries. */
async function prepareAccounting(workspace: Workspace): Promise<void> {
  const books = await Books.open(app, { workspace });
  const { id: customer } = await books.customer();
  const today = new Date().toISOString().slice(0, 10);
  for (let count = 0; count < 8; count++) {
    await books.draft(customer, [[1_000, 'VAT19']]);
    await books.entry(today, '1100', '3000', 100);
    const { id } = await books.issue(await books.draft(customer, [[10_000, 'ZERO']]));
    if (count < 4) await books.post(`/invoices/${id}/payments`, { amount: 11_000, paid_on: today, excess: 'credit' });
  }
}

/** The scope identifies an operation's module; the path of a webhook does not. */
function scopeOf({ security }: Json): string {
  return (security as { apiKey: string[] }[])[0].apiKey[0];
}

async function keysOf(workspace: Workspace, module: string): Promise<Record<string, string>[]> {
  const options = { module, actor_user_id: workspace.owner.id };
  const keys = [
    await workspace.key(options),
    await workspace.key({ ...options, project_id: workspace.eng.id }),
    await workspace.key({ ...options, mode: 'test' }),
  ];
  return keys.map(({ client }) => client.headers);
}

/** Of a member's route. */
function moduleOf({ path }: ApiOperation): string {
  return path.split('/')[4];
}

/** Sorts reads and creates first and deletes last, so that most operations find existing resources. */
function inUsefulOrder(operations: readonly ApiOperation[]): ApiOperation[] {
  const rank = ({ method, path }: ApiOperation) => (method === 'delete' ? 3 : path.includes('{') ? 2 : method === 'post' ? 1 : 0);
  return [...operations].sort((a, b) => rank(a) - rank(b));
}

/** Fills the pool with ids from lists without required parameters, and from lists per project. Returns the operations with any. */
async function fillPool(operations: readonly ApiOperation[], pool: IdPool, caller: Record<string, string>): Promise<ApiOperation[]> {
  const lists = operations.filter(({ method, path }) => method === 'get' && !path.includes('{'));
  const sources = new Set<ApiOperation>();
  const harvest = async (list: ApiOperation, target: string) => {
    const { body, data } = await send({ method: 'get', target, headers: caller, body: undefined });
    if (pool.harvest(body)) sources.add(list);
    return data;
  };
  for (const list of lists) await harvest(list, list.path);
  const byProject = lists.filter(({ parameters }) => parameters.some(({ name, in: place }) => name === 'project_id' && place === 'query'));
  const projects = lists.find(({ id }) => id === 'list_projects') ?? byProject.at(0);
  if (!projects) return [...sources];
  for (const { id } of await harvest(projects, projects.path))
    for (const list of byProject) await harvest(list, `${list.path}?project_id=${id}`);
  return [...sources];
}

/** Sends generated calls of one operation, checks every response and returns the statuses seen. */
async function checkResponses(
  api: ApiDocument,
  operation: ApiOperation,
  pool: IdPool,
  callers: readonly Record<string, string>[],
  numRuns: number,
): Promise<Set<number>> {
  const arbitraries = new Arbitraries(api, pool);
  const request = fc.record({
    method: fc.constant(operation.method),
    target: arbitraries.target(operation),
    body: arbitraries.body(operation),
    headers: fc.tuple(fc.constantFrom(...callers), arbitraries.headers(operation)).map(([caller, headers]) => ({ ...caller, ...headers })),
  });
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(request, async (call) => {
      const { status, body, type } = await send(call);
      seen.add(status);
      if (status < 300) pool.harvest(body);
      const faults = api.responseFaults(operation, status, body, type);
      if (faults.length > 0)
        throw new Error(`${operation.id} returned ${status}: ${faults.join('; ')}\n${JSON.stringify(body).slice(0, 600)}`);
    }),
    { seed: SEED, numRuns },
  );
  return seen;
}

async function send({
  method,
  target,
  headers,
  body,
}: Request): Promise<{ status: number; body: unknown; type: string | undefined; data: { id: string }[] }> {
  const response = await fetch(app.url + target, {
    method: method.toUpperCase(),
    headers: { ...headers, ...IDENTITY, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body,
  });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? undefined;
  const parsed: unknown = text === '' || (type !== undefined && !type.startsWith('application/json')) ? undefined : JSON.parse(text);
  return { status: response.status, body: parsed, type, data: ((parsed ?? {}) as { data?: { id: string }[] }).data ?? [] };
}
