// npm run bench:deliveries [-- --count 20000 --rounds 3]
// Measures deliveries per second, compared with signed POSTs alone and with a batched claim in SQL.
import 'reflect-metadata';
import { fork } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import { Agent } from 'undici';
import { newDataDir } from '../harness/data-dir.js';
import { createApp } from '../../src/app.js';
import { MODULES } from '../../src/modules.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { SecretBox } from '../../src/platform/config/secret-box.js';
import { startEmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres/embedded-postgres.js';
import { QueueWorker } from '../../src/platform/queue/queue-worker.js';
import { DELIVERY_QUEUE } from '../../src/platform/webhooks/sending/delivery-queue.js';
import { newSigningSecret } from '../../src/platform/webhooks/sending/signature.js';
import { insideOf } from '../harness/inside.js';
import { createSchema } from '../harness/template-database.js';
import { createWorkspace } from '../harness/workspace.js';
import { median } from './load.js';

const GOAL = 0.6;
const LOOPS = 4;
const BATCH = 100;
const CONCURRENCY = 400;
const BODY = JSON.stringify({ id: randomUUID(), object: 'event', filler: 'x'.repeat(1024 - 80) });

const { values: asked } = parseArgs({ options: { count: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '3' } } });
const count = Number(asked.count);
const dataDir = newDataDir('bench');
const postgres = await startEmbeddedPostgres(dataDir);
const receiver = fork(join(PROJECT_ROOT, 'test', 'bench', 'deliveries-receiver.mjs'));
const [port] = (await once(receiver, 'message')) as [number];
const origin = `http://127.0.0.1:${port}`;
const agent = new Agent({ pipelining: 1 });
const sql = new Pool({ connectionString: postgres.url, max: LOOPS });
// an ended pool does not wait until its connections are closed, so the end of the database reaches them
sql.on('error', () => undefined);

try {
  await measure();
} finally {
  await agent.destroy();
  await sql.end();
  receiver.disconnect();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  await createSchema(postgres.url);
  await sql.query(
    `CREATE TABLE bare (
       id uuid PRIMARY KEY, status text NOT NULL, due_at timestamptz NOT NULL, leased_until timestamptz,
       url text NOT NULL, secret text NOT NULL, body text NOT NULL)`,
  );
  await sql.query(`CREATE INDEX bare_due ON bare (due_at) WHERE status = 'pending'`);
  const few = await startWorker(10);
  const many = await startWorker(10_000);

  const rates: Record<string, number[]> = {
    'bare loop of signed POSTs': [],
    'bare batched claim': [],
    'ours, 10 endpoints': [],
    'ours, 10,000 endpoints': [],
  };
  for (let round = 0; round <= Number(asked.rounds); round++) {
    const measured = [
      await rate(bareLoop),
      await rate(bareClaim, fillBareTable),
      await rate(few.run, few.fill),
      await rate(many.run, many.fill),
    ];
    // the first round is the warm-up
    if (round > 0) Object.values(rates).forEach((all, index) => all.push(measured[index]));
  }
  for (const [name, all] of Object.entries(rates))
    console.log(`${name.padEnd(28)} ${Math.round(median(all)).toLocaleString('en').padStart(8)}/s   (${all.map(Math.round).join(', ')})`);
  const [, bare, ten, tenThousand] = Object.values(rates).map(median);
  console.log(`ours / batched claim: ${(ten / bare).toFixed(2)} (goal ${GOAL});  10,000 endpoints / 10: ${(tenThousand / ten).toFixed(2)}`);
  await few.close();
  await many.close();
}

async function rate(work: () => Promise<void>, before: () => Promise<void> = () => Promise.resolve()): Promise<number> {
  await before();
  const since = performance.now();
  await work();
  return (count / (performance.now() - since)) * 1000;
}

async function post(secret: string, body: string): Promise<void> {
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
  const { body: response } = await agent.request({
    origin,
    path: '/hooks',
    method: 'POST',
    headers: { 'svc-signature': `t=${time},v1=${signature}`, 'content-type': 'application/json' },
    body,
  });
  await response.dump();
}

async function bareLoop(): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (left-- > 0) await post('secret', BODY);
    }),
  );
}

async function fillBareTable(): Promise<void> {
  await sql.query('TRUNCATE bare');
  await sql.query(`INSERT INTO bare SELECT gen_random_uuid(), 'pending', now(), NULL, $2, 'secret', $3 FROM generate_series(1, $1)`, [
    count,
    origin,
    BODY,
  ]);
  await sql.query('VACUUM ANALYZE bare');
}

async function bareClaim(): Promise<void> {
  await Promise.all(
    Array.from({ length: LOOPS }, async () => {
      for (;;) {
        const { rows } = await sql.query<{ id: string; secret: string; body: string }>(
          `UPDATE bare b SET status = 'sending', leased_until = now() + interval '20 s'
           FROM (
             SELECT id FROM bare WHERE status = 'pending' AND due_at <= now() ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
           ) AS due
           WHERE b.id = due.id RETURNING b.id, b.secret, b.body`,
        );
        if (rows.length === 0) return;
        await Promise.all(rows.map(({ secret, body }) => post(secret, body)));
        await sql.query(`UPDATE bare SET status = 'delivered', leased_until = NULL WHERE id = ANY($1)`, [rows.map(({ id }) => id)]);
      }
    }),
  );
}

/** Starts the product's worker in this process for an organization with a number of endpoints. */
async function startWorker(endpoints: number) {
  const config = loadConfig({
    NODE_ENV: 'test',
    APP_ROLE: 'api',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    DATABASE_POOL_SIZE: String(LOOPS),
  });
  const app = await createApp({
    config: { ...config, appRole: 'worker', queueReconcileMs: 10_000 },
    databaseUrl: postgres.url,
    modules: MODULES,
  });
  // the worker starts with the listener
  await app.listen(0, '127.0.0.1');
  const { organizationId } = await createWorkspace({ url: '', inside: insideOf(app) });
  const event = randomUUID();
  await sql.query(`INSERT INTO outbox_events (id, organization_id, mode, type, body) VALUES ($1, $2, 'live', 'task.created', $3)`, [
    event,
    organizationId,
    BODY,
  ]);
  const ids = Array.from({ length: endpoints }, () => randomUUID());
  const secrets = ids.map((id) => app.get(SecretBox).seal(newSigningSecret(), id));
  await sql.query(
    `INSERT INTO webhook_endpoints (id, organization_id, mode, url, events, enabled_at, max_concurrency, secret)
     SELECT id, $3, 'live', $4, '{*}', 'epoch', 40, secret FROM unnest($1::uuid[], $2::bytea[]) AS e(id, secret)`,
    [ids, secrets, organizationId, `${origin}/hooks`],
  );
  const pending = `SELECT count(*)::int AS n FROM webhook_deliveries WHERE organization_id = $1 AND status <> 'delivered'`;
  return {
    fill: async () => {
      await sql.query('TRUNCATE webhook_deliveries, webhook_attempts');
      await sql.query(
        `INSERT INTO webhook_deliveries (id, organization_id, mode, endpoint_id, event_id, event_type)
         SELECT gen_random_uuid(), $1, 'live', ($2::uuid[])[1 + n % $3], $4, 'task.created' FROM generate_series(1, $5::int) AS n`,
        [organizationId, ids, endpoints, event, count],
      );
      await sql.query('VACUUM ANALYZE webhook_deliveries');
    },
    run: async () => {
      app.get(QueueWorker).notify(DELIVERY_QUEUE);
      const before = await received();
      while ((await received()) - before < count) await sleep(20);
      while ((await sql.query<{ n: number }>(pending, [organizationId])).rows[0].n > 0) await sleep(5);
    },
    close: () => app.close(),
  };
}

async function received(): Promise<number> {
  return Number(await (await fetch(origin)).text());
}
