import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ApiDocument, type Json } from '../../test/harness/api-document.js';
import { Client } from '../../test/harness/client.js';
import { startDemoApp } from '../../test/harness/demo.js';
import { eventually } from '../../test/harness/eventually.js';
import { PROJECT_ROOT } from '../platform/config/project-root.js';

const PAPERS = '/api/v1/ext/papers';
const SCHEDULE = '/api/v1/ext/schedule';

/** A call of the demo's own, and whether what else is stored of it agrees. */
interface LoggedCall {
  mode: string;
  via: string;
  status: number;
  is_lead: boolean;
  lead_requests: number;
  has_bodies: boolean;
  is_used: boolean;
}

interface Published {
  event: string;
  module: string;
  steps: object[];
}

const { play } = (await import(join(PROJECT_ROOT, 'scripts', 'trigger.mjs'))) as {
  play(
    trigger: Published,
    options: { url: string; key: string; member?: object; onJob: (job: { name: string }) => Promise<unknown> },
  ): Promise<unknown[]>;
};
const { app, demo, printed } = await startDemoApp();
const facts = demo.facts();

const key = (name: string) => demo.key(name);

it("each event has the fields of its object's GET", async () => {
  const document = await ApiDocument.at(`${app.url}/openapi.json`);
  const gets = new Map(
    document.operations
      .filter(({ method, path }) => method === 'get' && path.endsWith('/{id}'))
      .map(({ path, tag, source }) => [objectOf(document, source), { path, tag, onlyInGet: onlyInGet(document, source) }]),
  );
  const { rows } = await app.sql.query<{ type: string; mode: string; object: Record<string, unknown> }>(
    `SELECT DISTINCT ON (type) type, mode, body::jsonb #> '{data,object}' AS object FROM outbox_events
     WHERE NOT internal AND type NOT LIKE '%.deleted' ORDER BY type, id DESC`,
  );
  const compared: string[] = [];
  for (const { type, mode, object } of rows) {
    const route = gets.get(object.object as string);
    if (!route) continue;
    const { name } = facts.keys.find((one) => one.module === route.tag && one.mode === mode && one.name.endsWith('full')) as {
      name: string;
    };
    const { body } = await key(name).get(route.path.replace('{id}', object.id as string));
    expect({ type, fields: Object.keys(object).sort() }).toEqual({
      type,
      fields: Object.keys(body)
        .filter((field) => !route.onlyInGet.has(field))
        .sort(),
    });
    compared.push(type);
  }
  expect(compared).toEqual(expect.arrayContaining(['contact.created', 'deal.created', 'lead.created', 'task.created', 'ticket.created']));
});

/** The fields that events leave out, as their descriptions say. */
function onlyInGet(document: ApiDocument, source: Json): Set<string> {
  const ref = /#\/components\/schemas\/(\w+)/.exec(JSON.stringify((source.responses as Json)['200']))?.[1];
  const { schemas } = document.source.components as { schemas: Record<string, { properties?: Record<string, { description?: string }> }> };
  const fields = Object.entries((ref === undefined ? undefined : schemas[ref].properties) ?? {});
  return new Set(fields.filter(([, { description = '' }]) => /In answers to GET[.,]/.test(description)).map(([name]) => name));
}

/** The `object` of an operation's answer. */
function objectOf(document: ApiDocument, source: Json): string | undefined {
  const { content } = (source.responses as Record<string, { content?: Record<string, { schema: Json }> }>)['200'];
  const schema = content?.['application/json']?.schema;
  return schema && (document.example(schema) as { object?: string }).object;
}

it('has ciphertexts only in columns that a rotation of the encryption key encrypts again', async () => {
  const rotated = await app
    .inside<typeof import('../../test/harness/encrypted-columns.js')>('test/harness/encrypted-columns.ts')
    .rotatedColumns();
  const { rows: columns } = await app.sql.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND udt_name IN ('bytea', '_bytea', 'text', '_text', 'jsonb', 'varchar')`,
  );
  const { rows: begins } = await app.sql.query<{ hex: string; base64: string }>(
    `SELECT encode(head, 'hex') AS hex, translate(encode(head, 'base64'), '+/', '-_') AS base64
     FROM (SELECT substring(sealed FROM 1 FOR 6) AS head FROM installation_keys LIMIT 1) AS one`,
  );
  const scan = columns.map(({ table, column }) => `SELECT '${table}.${column}' AS name FROM "${table}" WHERE "${column}"::text ~ $1`);
  // as PostgreSQL shows bytes, or in base64
  const { rows } = await app.sql.query<{ name: string }>(scan.join(' UNION '), [`x${begins[0].hex}|(^|")${begins[0].base64}`]);
  const found = rows.map(({ name }) => name);
  expect(found).toEqual(
    expect.arrayContaining(['hr_employee_private_data.sealed', 'installation_keys.sealed', 'webhook_endpoints.secret']),
  );
  // those of which the demo has none, by their names
  const named = columns
    .map(({ table, column }) => `${table}.${column}`)
    .filter((name) => /[._](sealed|secrets?|encrypted)(_\w+)?$/.test(name));
  expect([...found, ...named].filter((name) => !rotated.includes(name))).toEqual([]);
});

describe('the schedule demo', () => {
  const live = key('Schedule, live, read-only');

  it('has bookings in every status, three of them at one time of a class that has more places', async () => {
    const { body } = await live.get(`${SCHEDULE}/bookings?limit=100`);
    const bookings = body.data as { status: string; start_at: string; end_at: string; event_id: string; guest: { name: string } }[];
    expect(new Set(bookings.map(({ status }) => status))).toEqual(new Set(['pending', 'confirmed', 'rejected', 'cancelled', 'no_show']));
    expect(Date.parse(bookings.find(({ status }) => status === 'no_show')?.end_at as string)).toBeLessThan(Date.now());
    const [calendar] = (await live.get(`${SCHEDULE}/calendars?q=Classes`)).body.data;
    const places = (await live.get(`${SCHEDULE}/bookings?calendar_id=${calendar.id}`)).body.data as typeof bookings;
    expect([new Set(places.map(({ start_at }) => start_at)).size, new Set(places.map(({ event_id }) => event_id)).size]).toEqual([1, 3]);
    expect((await visit('introductory-class')).text).toContain('Introductory class');
    const { body: free } = await new Client(app.url).get(
      `/api/v1/public/booking/introductory-class/slots?from=${encodeURIComponent(places[0].start_at)}`,
    );
    expect(free.data[0].start_at).toBe(places[0].start_at);
  });

  it('prints the address of a mailbox, whose mails become tickets', async () => {
    expect(printed).toContain(`  Mailbox    ${facts.mailbox_url}`);
    const raw = 'From: Ada <ada@customer.example>\r\nSubject: It burns\r\nMessage-ID: <demo@customer.example>\r\n\r\nHelp!\r\n';
    const path = new URL(facts.mailbox_url as string).pathname;
    expect((await new Client(app.url).post(path, raw, { 'content-type': 'message/rfc822' })).status).toBe(202);
  });

  it('prints the booking page, whose visitors can book', async () => {
    expect(printed).toContain(`  Booking    ${app.url}/b/meet-grace`);
    expect(facts.booking_url).toBe(`${app.url}/b/meet-grace`);
    expect((await visit('meet-grace')).text).toContain('Demo workspace');
    const path = '/api/v1/public/booking/meet-grace';
    const visitor = new Client(app.url);
    const [{ start_at }] = (await visitor.get(`${path}/slots`)).body.data;
    const answers = { topic: 'Gift boxes' };
    const booked = await visitor.post(`${path}/bookings`, { start_at, name: 'Ada Park', email: 'ada.park@example.com', answers });
    expect([booked.status, booked.body.booking?.status]).toEqual([201, 'confirmed']);
  });

  function visit(slug: string) {
    return new Client(app.url, { accept: 'text/html' }).get(`/b/${slug}`);
  }
});

describe('the documents demo', () => {
  it('has full keys in both modes, with and without a member who may approve', () => {
    for (const mode of ['live', 'test']) {
      const full = facts.keys.filter(
        (one) => one.module === 'documents' && one.mode === mode && one.project_id === null && !one.name.includes('read-only'),
      );
      expect(full.map(({ actor_email }) => actor_email)).toEqual([null, 'grace@demo.example']);
      expect(full[0].scopes).toEqual(full[1].scopes);
    }
  });

  it('has documents in many states, routed and unrouted decisions, and obligations', async () => {
    const live = key('Documents, live, read-only');
    const { body } = await live.get(`${PAPERS}/documents?limit=100`);
    const states = body.data.map(({ state }: { state: string }) => state);
    expect(states).toEqual(expect.arrayContaining(['draft', 'in_approval', 'returned', 'rejected', 'approved']));
    const pending = (await live.get(`${PAPERS}/approvals/pending`)).body.data;
    expect(new Set(pending.map(({ routing }: { routing: string }) => routing))).toEqual(new Set(['routed', 'unrouted']));
    expect((await live.get(`${PAPERS}/obligations`)).body.data.map(({ overdue }: { overdue: boolean }) => overdue).sort()).toEqual([
      false,
      true,
    ]);
    expect((await key('Documents, test, full').get(`${PAPERS}/documents`)).body.data).toHaveLength(4);
  });

  it.each(['customer_agreement', 'mutual_nda', 'supplier_intake'])(
    'has a complete sample of %s that can be created, submitted and rendered',
    async (type_code) => {
      const api = key('Documents, test, full');
      const created = await api.post(`${PAPERS}/documents`, {
        type_code,
        title: 'From the sample',
        data_values: facts.samples.documents[type_code],
        project_id: facts.projects[0].id,
      });
      expect([created.status, created.body.missing_required_fields]).toEqual([201, []]);
      const submitted = await api.post(`${PAPERS}/documents/${created.body.id}/submit`, {});
      expect([submitted.status, submitted.body.state]).toEqual([200, type_code === 'mutual_nda' ? 'approved' : 'in_approval']);
      const { text } = await api.get(`${PAPERS}/documents/${created.body.id}/content?format=html`, { accept: 'text/html' });
      // every placeholder of the template has a value, except a number that is assigned later; lines to sign on are longer
      expect(text).not.toContain('{{');
      expect(text.split(/(?<!_)_{8}(?!_)/)).toHaveLength(created.body.number === null ? 2 : 1);
    },
  );

  it('creates an agreement for a won deal and routes it to its approver', async () => {
    const crm = key('CRM, live, full');
    const [deal] = (await crm.get('/api/v1/ext/crm/deals?status=open&q=Autumn')).body.data;
    expect((await crm.patch(`/api/v1/ext/crm/deals/${deal.id}`, { status: 'won' })).status).toBe(200);
    const pending = async () =>
      (await key('Documents, live, full').get(`${PAPERS}/approvals/pending?type_code=customer_agreement&limit=100`)).body.data;
    const [decision] = await eventually(
      async () =>
        (await pending()).filter(
          (one: { document: { title: string } }) => one.document.title === 'Agreement: Autumn assortment for 12 stores',
        ),
      ({ length }) => length > 0,
    );
    expect(decision).toMatchObject({ routing: 'routed', approver: { email: 'grace@demo.example' }, step: { name: 'Commercial terms' } });
    const { body } = await key('Documents, live, full').get(`${PAPERS}/documents/${decision.document.id}`);
    expect(body.data_values).toMatchObject({
      subject: deal.title,
      amount: deal.amount,
      currency: 'EUR',
      customer_name: expect.stringMatching(/./),
      contact_email: expect.stringContaining('@'),
    });
    // the member's key approves the agreement and sends it to the parties
    const act = (change: object) =>
      key('Documents, live, full, for grace@demo.example').patch(`${PAPERS}/documents/${body.id}/workflow/status`, change);
    expect((await act({ action: 'APPROVE', approver_email: 'grace@demo.example' })).body.state).toBe('finalized');
    expect((await act({ action: 'TRANSITION', lifecycle_action: 'send', approver_email: 'grace@demo.example' })).body.state).toBe('sent');
  });

  it('creates an agreement for a won deal without contacts', async () => {
    await key('CRM, live, full').post('/api/v1/ext/crm/deals', {
      project_id: facts.projects[1].id,
      title: 'Bare deal',
      currency: 'EUR',
      status: 'won',
    });
    const found = await eventually(
      async () => (await key('Documents, live, full').get(`${PAPERS}/documents?q=Bare`)).body.data,
      ({ length }) => length > 0,
    );
    expect(found[0]).toMatchObject({
      title: 'Agreement: Bare deal',
      state: 'in_approval',
      data_values: { customer_name: 'Customer to be named' },
    });
  });

  it('creates an application from a submission of the public form', async () => {
    const visitor = new Client(app.url, { accept: 'text/html' });
    const path = new URL(facts.form_url as string).pathname;
    expect((await visitor.get(path)).text).toContain('Become our supplier');
    const answers = Object.entries(facts.samples.documents.supplier_intake).map(([name, value]) => [
      `answers.${name}`,
      value === true ? 'yes' : name === 'yearly_volume' ? '36000.00' : String(value),
    ]);
    const sent = await visitor.post(path, new URLSearchParams(answers).toString(), { 'content-type': 'application/x-www-form-urlencoded' });
    expect([sent.status, sent.text.includes('class="error"')]).toEqual([303, false]);
    const made = async () =>
      (await key('Documents, live, full').get(`${PAPERS}/documents?type_code=supplier_intake&q=Kartonwerk&state=in_approval`)).body.data;
    const [document] = await eventually(made, ({ length }) => length > 0);
    expect(document).toMatchObject({
      title: 'Application of Kartonwerk Havel GmbH',
      created_by: { type: 'system' },
      data_values: facts.samples.documents.supplier_intake,
    });
  });
});

// last, because it adds to the test data
describe('work-suite trigger', () => {
  const { folder } = demo;
  const command = async (...args: string[]) => {
    const env = { ...process.env, NODE_OPTIONS: '', SUITE_URL: app.url, SUITE_KEY: '', DATA_DIR: folder };
    const child = spawn(process.execPath, [join(PROJECT_ROOT, 'scripts', 'work-suite.mjs'), 'trigger', ...args], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  };

  it('causes an event with the key of the demo, lists all, and names the one that was meant', async () => {
    expect(await command('--list')).toEqual({ code: 0, output: expect.stringMatching(/^deal\.won +crm, 4 calls$/m) });
    expect(await command('deal.won')).toEqual({ code: 0, output: expect.stringMatching(/^Caused deal\.won\.\nIt is internal: /m) });
    expect(await command('deal.one')).toEqual({ code: 1, output: expect.stringContaining('no event deal.one; did you mean deal.won?') });
    expect(await command('booking.created')).toEqual({ code: 1, output: expect.stringContaining('No module declares how to cause') });
    const live = facts.keys.find(({ module, mode }) => module === 'crm' && mode === 'live')!;
    expect(await command('deal.won', '--key', live.secret)).toEqual({ code: 1, output: expect.stringContaining('Only test data') });
  });

  it('causes the event that each trigger is declared for, by its last call', async () => {
    const { triggers } = (await new Client(app.url).get('/triggers.json')).body as { triggers: Published[] };
    expect(triggers.length).toBeGreaterThan(30);
    const member = facts.members.find(({ role }) => role === 'owner');
    const missing: string[] = [];
    for (const trigger of triggers) {
      const { secret } = facts.keys.find(
        ({ module, mode, name }) => module === trigger.module && mode === 'test' && name.endsWith('full'),
      )!;
      const before = await lastSequence();
      try {
        await play(trigger, { url: app.url, key: secret, member, onJob: ({ name }) => app.runScheduledJob(name) });
      } catch (error) {
        missing.push(`${trigger.event}: ${(error as Error).message}`);
        continue;
      }
      const { rows } = await app.sql.query('SELECT FROM outbox_events WHERE type = $1 AND mode = $2 AND sequence > $3 LIMIT 1', [
        trigger.event,
        'test',
        before,
      ]);
      if (rows.length === 0) missing.push(`${trigger.event} was not caused`);
    }
    expect(missing).toEqual([]);
  });

  async function lastSequence(): Promise<string> {
    return (await app.sql.query<{ last: string }>('SELECT COALESCE(max(sequence), 0)::text AS last FROM outbox_events')).rows[0].last;
  }
});

it('has calls of both modes, whose bodies, keys and lead requests agree with the log', async () => {
  await app.inside<typeof import('../../test/harness/start-demo.js')>('test/harness/start-demo.ts').makeCalls(facts);
  const logged = () =>
    app.sql.query<LoggedCall>(
      `SELECT l.mode, l.via, l.status, l.route = '/api/v1/webhooks/leads' AS is_lead,
         (SELECT count(*)::int FROM lead_webhook_logs w WHERE w.request_id = l.request_id AND w.mode = l.mode) AS lead_requests,
         EXISTS (SELECT FROM request_bodies b WHERE b.request_id = l.request_id) AS has_bodies,
         (SELECT last_used_at >= l.created_at FROM api_keys k WHERE k.id = l.api_key_id) AS is_used
       FROM request_logs l WHERE l.user_agent LIKE 'work-suite-demo/%'`,
    );
  const expected = {
    kinds: ['live', 'test'].flatMap((mode) =>
      ['http 200', 'http 201', 'http 400', 'http 403', 'http 404', 'mcp 200'].map((kind) => `${mode} ${kind}`),
    ),
    submitted: ['live', 'test'],
    disagreeing: [],
  };
  const read = async () => {
    const { rows } = await logged();
    return {
      kinds: [...new Set(rows.map(({ mode, via, status }) => `${mode} ${via} ${status}`))].sort(),
      submitted: rows.flatMap(({ is_lead, status, mode }) => (is_lead && status === 201 ? [mode] : [])).sort(),
      disagreeing: rows.filter(
        (row) =>
          ((row.mode === 'test' || row.status >= 400) && !row.has_bodies) || !row.is_used || row.lead_requests !== Number(row.is_lead),
      ),
    };
  };
  // the tables are written in batches of their own
  expect(await eventually(read, (seen) => isDeepStrictEqual(seen, expected))).toEqual(expected);
});
