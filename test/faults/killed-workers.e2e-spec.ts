import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect, createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { eventually } from '../harness/eventually.js';
import { makeType } from '../../src/modules/documents/testing/document-types.js';
import { party } from '../../src/modules/documents/testing/signing-fixture.js';
import { countBreaches, makeDueTickets } from '../../src/modules/desk/testing/desk-due-tickets.js';
import { FaultHarness, type Worker } from './fault-harness.js';

const BULK = '/api/v1/ext/papers/bulk-sends';

/** No locks of the product have it. */
const GATES = 1_907_271_311;

let gates = 0;
let gatekeeper: Client | undefined;
let harness: FaultHarness;
let worker: Worker;

beforeAll(async () => {
  // longer than the tests wait: attempts in flight must not time out, nor the leases of a killed worker have to expire
  harness = await FaultHarness.start({ env: { WEBHOOK_TIMEOUT_MS: '60000', WEBHOOK_LEASE_MS: '180000' } });
  worker = await harness.worker();
  gatekeeper = new Client({ connectionString: harness.app.databaseUrl });
  await gatekeeper.connect();
});
afterAll(async () => {
  await gatekeeper?.end();
  await harness.stop();
});

/** Starts a new worker after the previous one was killed. */
async function restartWorker(): Promise<void> {
  worker = await harness.worker();
}

/** A promise that is resolved from outside. */
function signal() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { given: promise, give: () => resolve() };
}

interface Gate {
  /** Resolves once a worker waits at it. */
  reached(): Promise<void>;
  open(): Promise<void>;
}

/**
 * From now on a worker that writes such a row waits until the gate is opened, so that it is not done before it is killed, however late
 * the test looks, within the 20 seconds of `statement_timeout`. `event` and `condition`: of a trigger.
 */
async function closeGate(event: string, condition: string): Promise<Gate> {
  const key = ++gates;
  await gatekeeper!.query(`CREATE FUNCTION gate_${key}() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0 AS $$ BEGIN
      IF ${condition} THEN PERFORM pg_advisory_xact_lock_shared(${GATES}, ${key}); END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER gate_${key} BEFORE ${event} FOR EACH ROW EXECUTE FUNCTION gate_${key}();
    SELECT pg_advisory_lock(${GATES}, ${key})`);
  const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND NOT granted`;
  return {
    reached: async () =>
      void (await eventually(
        () => gatekeeper!.query(waiting, [GATES, key]),
        ({ rowCount }) => rowCount! > 0,
      )),
    open: async () => void (await gatekeeper!.query('SELECT pg_advisory_unlock($1, $2)', [GATES, key])),
  };
}

test('repeats the deliveries of a worker that is killed, with the same ids and bodies', async () => {
  const atOnce = { before: signal(), during: signal() };
  const unread = createServer((socket) => {
    socket.on('error', () => undefined);
    atOnce.before.give();
  }).listen(0, '127.0.0.1');
  await once(unread, 'listening');
  let [during, after] = [0, 0];
  harness.receiver.on('/during', (_request, response) => (during++ > 0 ? void response.end() : atOnce.during.give()));
  harness.receiver.on('/after', async (_request, response) => {
    if (after++ > 0) return void response.end();
    await Promise.all([atOnce.before.given, atOnce.during.given]);
    // stopped first: a running worker could record the response before the kill
    process.kill(worker.pid, 'SIGSTOP');
    response.end();
    process.kill(worker.pid, 'SIGKILL');
  });
  const before = await harness.endpoint('/before', { url: `http://127.0.0.1:${(unread.address() as AddressInfo).port}/before` });
  await harness.endpoint('/during');
  const id = await harness.endpoint('/after');
  const since = new Date();
  await harness.createTasks(1);
  await worker.ended;
  unread.close();
  await harness.owner.patch(`/api/v1/org/developer/webhook-endpoints/${before}`, { url: harness.receiver.url('/before') });
  await restartWorker();
  await harness.settled();

  // killed before the receiver read it
  expect(await harness.arrived('/before', 1_000, since)).toEqual({ missing: [], repeated: [], sameBodies: true });
  // before the response, and before the worker recorded the response
  for (const path of ['/during', '/after']) {
    const { missing, repeated, sameBodies } = await harness.arrived(path, 1_000, since);
    expect([path, missing, repeated.length, sameBodies]).toEqual([path, [], 1, true]);
  }
  const [delivery] = (await harness.owner.get(`/api/v1/org/developer/deliveries?endpoint_id=${id}`)).body.data;
  const { attempts } = (await harness.owner.get(`/api/v1/org/developer/deliveries/${delivery.id}`)).body;
  expect(attempts.map(({ status, error }: { status: number | null; error: string | null }) => [status, error !== null])).toEqual([
    [null, true],
    [200, false],
  ]);
});

test('loses no event and repeats only deliveries in flight if a worker is killed under load', async () => {
  harness.receiver.on('/load', (_request, response) => void setTimeout(() => response.end(), 20));
  await harness.endpoint('/load', { max_concurrency: 10 });
  const since = new Date();
  const creating = harness.createTasks(200);
  const arrivals = () => Promise.resolve(harness.receiver.at('/load').length);
  const arrived = await eventually(arrivals, (reached) => reached >= 40);
  expect([arrived >= 40, arrived < 200]).toEqual([true, true]);
  await worker.kill('SIGKILL');
  await restartWorker();
  await creating;
  const { missing, repeated, sameBodies } = await harness.arrived('/load', 60_000, since);
  expect([missing, sameBodies]).toEqual([[], true]);
  expect(repeated.length).toBeLessThanOrEqual(10);
  await harness.settled();
});

test('a killed worker is missed by its connection, long before its silence shows it; a stalled one is not', async () => {
  const { sql } = harness.app;
  const known = async () => (await sql.query<{ id: string }>('SELECT id FROM workers')).rows.map(({ id }) => id);
  /** Keeps the worker from being silent for so long that it counts as ended. */
  const staySilent = (id: string) => sql.query(`UPDATE workers SET seen_at = now() - interval '2 seconds' WHERE id = $1`, [id]);
  harness.receiver.on('/in-flight', () => undefined);
  await harness.endpoint('/in-flight', { max_concurrency: 2 });
  await harness.createTasks(2);
  await eventually(
    () => Promise.resolve(harness.receiver.at('/in-flight').length),
    (count) => count === 2,
  );
  const [killed] = await known();
  await worker.kill('SIGKILL');
  harness.receiver.on('/in-flight', (_request, response) => void response.end());
  await harness.createTasks(1);
  await restartWorker();
  const { length } = await eventually(
    async () => (await staySilent(killed)) && harness.receiver.at('/in-flight'),
    (arrived) => arrived.length === 5,
  );
  expect([length, await known()]).toEqual([5, [expect.not.stringMatching(killed)]]);

  // a worker that stalls keeps its connection
  const connection = new Client({ connectionString: harness.app.databaseUrl });
  await connection.connect();
  const { rows } = await connection.query<{ id: string }>(
    'INSERT INTO workers (id, backend_pid) VALUES (gen_random_uuid(), pg_backend_pid()) RETURNING id',
  );
  const [{ id: stalled }] = rows;
  // longer than the silence below: a connection that began after a worker was seen is another one's
  await sleep(2_500);
  // by PostgreSQL itself: a test that came too late for one would make it silent for too long
  await sql.query(`DO $$ BEGIN FOR beat IN 1..4 LOOP
    UPDATE workers SET seen_at = clock_timestamp() - interval '2 seconds' WHERE id = '${stalled}';
    COMMIT;
    PERFORM pg_sleep(0.5);
  END LOOP; END $$`);
  expect(await known()).toContain(stalled);
  await connection.end();
  // because of its connection: it is not silent for long enough
  const left = await eventually(
    async () => (await staySilent(stalled)) && (await known()),
    (ids) => !ids.includes(stalled),
  );
  expect(left).not.toContain(stalled);
  await harness.settled();
});

/** An import of 1,001 rows in five chunks, whose worker waits within the second, and once more within the fourth. */
async function startImport() {
  const rows = Array.from({ length: 1_000 }, (_, n) => `Person ${n},p${n}@restarts.example`);
  const gateAt = (row: number) => closeGate('INSERT ON leads', `NEW.email_normalized = 'p${row}@restarts.example'`);
  // a trigger cannot be made while the worker writes
  const [second, fourth] = [await gateAt(300), await gateAt(900)];
  const { body } = await harness.owner.post(
    `/api/v1/org/marketing/leads/import?project_id=${harness.space.eng.id}`,
    `full_name,email\n${rows.join('\n')}\nAgain,p0@restarts.example\n`,
    { 'content-type': 'text/csv' },
  );
  const read = async () => (await harness.owner.get(`/api/v1/org/marketing/lead-imports/${body.id}`)).body;
  const isWhole = async () => {
    const ended = await eventually(read, ({ finished_at }) => finished_at !== null);
    expect(ended).toMatchObject({ state: 'completed', rows_done: 1_001, created_count: 1_001, error_count: 0, warning_count: 1 });
    const { rows: counted } = await harness.app.sql.query(
      `SELECT count(*)::int AS leads, count(DISTINCT email_normalized)::int AS people FROM leads
       WHERE email_normalized LIKE '%@restarts.example'`,
    );
    expect(counted).toEqual([{ leads: 1_001, people: 1_000 }]);
    // the import is finished before the job that finished it
    const readJobs = async () => {
      const statement = `SELECT DISTINCT status, failures, last_error FROM jobs WHERE payload ->> 'import_id' = $1`;
      return (await harness.app.sql.query(statement, [body.id])).rows;
    };
    const jobs = await eventually(readJobs, (all) => all.every(({ status }) => status === 'done'));
    expect(jobs).toEqual([{ status: 'done', failures: 0, last_error: null }]);
    const { rowCount: keys } = await harness.app.sql.query('SELECT 1 FROM lead_import_keys WHERE import_id = $1', [body.id]);
    expect(keys).toBe(0);
  };
  return { second, fourth, read, isWhole };
}

/** The missed targets of 120 tickets, which are reported in batches of 100 once started; the worker waits within the second. */
async function prepareBreaches() {
  const { app, owner, space } = harness;
  const { client } = await space.key({ module: 'desk' });
  const look = () => countBreaches(app, space.organizationId);
  const runAt = (time: string) => app.sql.query(`UPDATE scheduled_jobs SET due_at = ${time} WHERE name = 'desk.report_breaches'`);
  await runAt(`now() + interval '1 hour'`);
  await makeDueTickets(app, { owner, client, projectId: space.eng.id }, 120);
  const gate = await closeGate('UPDATE ON desk_tickets', 'EXISTS (SELECT FROM desk_breaches)');
  return {
    gate,
    start: () => runAt('now()'),
    isInTheMiddle: async () => {
      const { due } = await eventually(look, ({ breaches }) => breaches > 0);
      expect(due).toBeGreaterThan(0);
      await gate.reached();
    },
    isWhole: async () => {
      await eventually(look, ({ due }) => due === 0);
      expect(await look()).toEqual({ due: 0, breaches: 240, events: 240, escalations: 240 });
    },
  };
}

/** A bulk send of 16 documents, whose worker waits at the ninth once started. */
async function prepareBulkSend() {
  const { app, space } = harness;
  const { client } = await space.key({ module: 'documents', actor_user_id: space.owner.id });
  const text = { type: 'string' } as const;
  const field_schema = { type: 'object', properties: { customer: text, customer_email: text } } as const;
  const { code } = await makeType(app, space.ctx(), { field_schema, signature_parties: [party('customer')] });
  const rows = Array.from({ length: 16 }, (_, n) => ({
    key: `row-${n}`,
    title: `NDA ${n}`,
    data_values: { customer: `Person ${n}`, customer_email: `p${n}@bulk.example` },
  }));
  const gate = await closeGate('INSERT ON documents', `NEW.title = 'NDA 8'`);
  let id = '';
  const read = async () => (await client.get(`${BULK}/${id}`)).body;
  return {
    gate,
    start: async () => {
      id = (await client.post(BULK, { type_code: code, project_id: space.eng.id, rows })).body.id;
    },
    isInTheMiddle: async () => {
      await gate.reached();
      expect((await read()).sent_count).toBeGreaterThan(2);
    },
    isStopped: async () => {
      const killed = await read();
      expect([killed.status, killed.sent_count < rows.length]).toEqual(['running', true]);
    },
    isWhole: async () => {
      const ended = await eventually(read, ({ status }) => status === 'completed');
      expect(ended).toMatchObject({ sent_count: 16, failed_count: 0, repeated_count: 0 });
      expect(new Set(ended.results.map(({ document_id }: { document_id: string }) => document_id)).size).toBe(16);
      const { rows: counted } = await app.sql.query(
        `SELECT (SELECT count(*)::int FROM documents WHERE type_code = $1) AS documents,
           (SELECT count(*)::int FROM mails WHERE recipient LIKE '%@bulk.example') AS mails,
           (SELECT count(DISTINCT recipient)::int FROM mails WHERE recipient LIKE '%@bulk.example') AS people`,
        [code],
      );
      expect(counted).toEqual([{ documents: 16, mails: 16, people: 16 }]);
    },
  };
}

test('an import, reports of missed targets and a bulk send do each thing once although their workers are stopped and killed', async () => {
  // prepared first: PostgreSQL cancels a statement that waited at a gate for 20 seconds
  const [breaches, documents] = [await prepareBreaches(), await prepareBulkSend()];
  const leads = await startImport();
  const { second, fourth } = leads;
  await second.reached();
  expect(await leads.read()).toMatchObject({ state: 'running', rows_done: 250 });
  const idle = connect(Number(new URL(worker.url).port), '127.0.0.1');
  idle.write('GET /health/live HTTP/1.1\r\nHost: worker\r\n\r\n');
  await once(idle, 'data');
  const stopped = worker.kill('SIGTERM').then(() => 'stopped');
  // the last thing that it does before its jobs hear of the signal; it waits for nothing in between
  await once(idle.resume(), 'close');
  await second.open();
  expect(await Promise.race([stopped, fourth.reached().then(() => 'in the fourth chunk')])).toBe('stopped');
  const { state, rows_done } = await leads.read();
  expect([state, rows_done >= 500, rows_done <= 750]).toEqual(['running', true, true]);
  await restartWorker();

  await fourth.reached();
  await breaches.start();
  await documents.start();
  await breaches.isInTheMiddle();
  await documents.isInTheMiddle();
  await worker.kill('SIGKILL');
  for (const gate of [fourth, breaches.gate, documents.gate]) await gate.open();
  await documents.isStopped();
  await restartWorker();
  await leads.isWhole();
  await breaches.isWhole();
  await documents.isWhole();
});
