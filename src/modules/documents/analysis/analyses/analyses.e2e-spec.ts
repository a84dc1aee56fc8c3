import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ownApp } from '../../../../../test/harness/hosted-app.js';
import type { ApiResponse, Client } from '../../../../../test/harness/client.js';
import { eventually } from '../../../../../test/harness/eventually.js';
import type { Workspace } from '../../../../../test/harness/workspace.js';
import { makeType } from '../../testing/document-types.js';
import type { AiCredits } from '../credits/ai-credits.service.js';

const SUMMARIZE = '/api/v1/ext/papers/ai/summarize';
const RISKS = '/api/v1/ext/papers/ai/risks';
const CREDITS = '/api/v1/org/papers/ai/credits';
const DOCUMENTS = '/api/v1/ext/papers/documents';
const TEXT = 'The Customer shall indemnify the Supplier against all claims.';
const SUMMARY = { summary: 'An indemnity.', key_points: [], parties: [], key_dates: [], amounts: [] };
const RISK = {
  title: 'Indemnity',
  category: 'indemnity',
  severity: 'high',
  explanation: 'One-sided.',
  quote: TEXT,
  recommendation: 'Make it mutual.',
  confidence: 0.9,
};

let space: Workspace;
let api: Client;
let modelRequests: number;
let respond: (response: ServerResponse, kind: string) => void | Promise<void>;

const succeeds = (response: ServerResponse, kind: string) =>
  void response.end(
    JSON.stringify({
      choices: [{ finish_reason: 'stop', message: { content: JSON.stringify(kind === 'ai_summary' ? SUMMARY : { risks: [RISK] }) } }],
    }),
  );
const fails = (response: ServerResponse) => void response.writeHead(500).end();

const model = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () => {
      modelRequests++;
      const { response_format } = JSON.parse(Buffer.concat(chunks).toString()) as { response_format: { json_schema: { name: string } } };
      void respond(response, response_format.json_schema.name);
    });
}).listen(0, '127.0.0.1');
await once(model, 'listening');
const app = await ownApp({
  env: {
    AI_BASE_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
    AI_MODEL: 'some-model',
    AI_TIMEOUT_MS: '3000',
    DATABASE_POOL_SIZE: '6',
  },
});

afterAll(() => {
  model.closeAllConnections();
  model.close();
});
beforeEach(async () => {
  modelRequests = 0;
  respond = succeeds;
  space = await app.workspace();
  api = (await space.key({ module: 'documents', project_id: space.eng.id })).client;
});
afterEach(async () => {
  // after every test the account matches its ledger, and nothing stays reserved
  expect(await ledger()).toEqual(await account());
});

const account = async () =>
  (await app.sql.query('SELECT balance, reserved FROM ai_credit_accounts WHERE organization_id = $1', [space.organizationId])).rows[0] ?? {
    balance: 1_000,
    reserved: 0,
  };
const ledger = async () =>
  (
    await app.sql.query(
      `SELECT coalesce(sum(CASE kind WHEN 'grant' THEN amount WHEN 'capture' THEN -amount ELSE 0 END), 1000)::int AS balance,
          coalesce(sum(CASE kind WHEN 'reserve' THEN amount WHEN 'grant' THEN 0 ELSE -amount END), 0)::int AS reserved
   FROM ai_credit_entries WHERE organization_id = $1`,
      [space.organizationId],
    )
  ).rows[0];
const kinds = async () =>
  (
    await app.sql.query<{ kind: string }>('SELECT kind FROM ai_credit_entries WHERE organization_id = $1 ORDER BY id', [
      space.organizationId,
    ])
  ).rows.map(({ kind }) => kind);
const withCredits = async (balance: number) => {
  await app.sql.query(
    `WITH account AS (INSERT INTO ai_credit_accounts (id, organization_id, balance) VALUES (gen_random_uuid(), $1, $2))
    INSERT INTO ai_credit_entries (id, organization_id, kind, amount, balance, reserved, actor) VALUES
      (gen_random_uuid(), $1, 'grant', 1000, 1000, 0, '{}'),
      (gen_random_uuid(), $1, 'reserve', 1000 - $2, 1000, 1000 - $2, '{}'),
      (gen_random_uuid(), $1, 'capture', 1000 - $2, $2, 0, '{}')`,
    [space.organizationId, balance],
  );
};
const errorOf = ({ status, body }: ApiResponse) => [status, body.error?.code];

describe('a live analysis', () => {
  it('can be tried out: it says what it would cost, asks no model and charges nothing', async () => {
    await withCredits(1);
    const dry = (path: string) => api.post(path, { raw_text: TEXT }, { 'svc-dry-run': 'true' });
    expect(errorOf(await dry(RISKS))).toEqual([502, 'ai_execution_failed']);
    const planned = await dry(SUMMARIZE);
    expect([planned.status, planned.body]).toEqual([
      200,
      {
        ...SUMMARY,
        object: 'ai_summary',
        id: expect.any(String),
        document_id: null,
        summary: '',
        warnings: ['This is a dry run: the text was not analyzed.'],
        created_at: expect.any(String),
        disclaimer: expect.any(String),
        perspective: 'neutral',
        cached: false,
        provider: expect.any(String),
        model: 'some-model',
        credits: { charged: 0, balance: 1, would_charge: 1 },
        dry_run: true,
        would_emit: [],
        would_send: [],
      },
    ]);
    expect([modelRequests, await account()]).toEqual([0, { balance: 1, reserved: 0 }]);
    await api.post(SUMMARIZE, { raw_text: TEXT });
    expect((await dry(SUMMARIZE)).body).toMatchObject({ object: 'ai_summary', cached: true, credits: { charged: 0, balance: 0 } });
    expect(modelRequests).toBe(1);
  });

  it('is made by the model, charges credits once and is then cached', async () => {
    const first = await api.post(RISKS, { raw_text: TEXT, perspective: 'customer' });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      object: 'ai_risks',
      overall_severity: 'high',
      perspective: 'customer',
      cached: false,
      provider: 'openai_compatible',
      model: 'some-model',
      credits: { charged: 2, balance: 998, would_charge: null },
      risks: [{ id: 'r1', quote: TEXT, quote_verified: true, location: { start: 0, end: TEXT.length } }],
      disclaimer: expect.stringContaining('no legal advice'),
    });
    const again = await api.post(RISKS, { raw_text: TEXT, perspective: 'customer' });
    expect(again.body).toEqual({ ...first.body, cached: true, credits: { charged: 0, balance: 998, would_charge: null } });
    expect(modelRequests).toBe(1);
    expect(await kinds()).toEqual(['grant', 'reserve', 'capture']);
  });

  it('is a new one for another perspective, focus or kind, and is charged again with force', async () => {
    const bodies = [{}, { perspective: 'supplier' }, { custom_focus: 'the cap' }, { force: true }, {}];
    const charged: number[] = [];
    for (const body of bodies) charged.push((await api.post(SUMMARIZE, { raw_text: TEXT, ...body })).body.credits.charged);
    expect(charged).toEqual([1, 1, 1, 1, 0]);
    expect((await api.post(RISKS, { raw_text: TEXT })).body.credits).toEqual({ charged: 2, balance: 994, would_charge: null });
  });

  it.each([
    [SUMMARIZE, 4_000, 1],
    [SUMMARIZE, 4_001, 2],
    [RISKS, 4_000, 2],
    [RISKS, 4_001, 4],
  ])('%s of %i characters costs %i', async (path, length, cost) => {
    expect((await api.post(path, { raw_text: 'x'.repeat(length) })).body.credits).toEqual({
      charged: cost,
      balance: 1_000 - cost,
      would_charge: null,
    });
  });

  it('that fails is 502 and free; the same Idempotency-Key retries it and then replays', async () => {
    const send = () => api.post(SUMMARIZE, { raw_text: TEXT }, { 'idempotency-key': 'analysis-1' });
    respond = fails;
    const failed = await send();
    expect(errorOf(failed)).toEqual([502, 'ai_execution_failed']);
    expect(failed.body.error).toMatchObject({ type: 'upstream_error', message: expect.stringContaining('Nothing was charged') });
    expect(await kinds()).toEqual(['grant', 'reserve', 'release']);
    respond = succeeds;
    const done = await send();
    expect([done.status, done.body.credits.charged]).toEqual([200, 1]);
    const replayed = await send();
    expect([replayed.status, replayed.headers['idempotent-replayed'], replayed.body]).toEqual([200, 'true', done.body]);
    expect(modelRequests).toBe(2);
  });

  it('that times out is 502 and free', async () => {
    respond = () => undefined;
    expect(errorOf(await api.post(SUMMARIZE, { raw_text: TEXT }))).toEqual([502, 'ai_execution_failed']);
    expect(await account()).toEqual({ balance: 1_000, reserved: 0 });
  });

  it('without credits is 502 with a detail, and works after a grant', async () => {
    await withCredits(1);
    const rejected = await api.post(RISKS, { raw_text: TEXT });
    expect(errorOf(rejected)).toEqual([502, 'ai_execution_failed']);
    expect(rejected.body.error.details).toEqual([
      expect.objectContaining({ code: 'insufficient_credits', message: expect.stringContaining('costs 2 credits and 1 are left') }),
    ]);
    expect(modelRequests).toBe(0);
    const screen = await space.signIn();
    expect((await screen.post(`${CREDITS}/grants`, { amount: 5, note: 'Order 4711' })).body).toEqual({
      object: 'ai_credit_account',
      balance: 6,
      reserved: 0,
      available: 6,
      prices: [
        { kind: 'summary', credits: 1, characters: 4_000 },
        { kind: 'risks', credits: 2, characters: 4_000 },
      ],
    });
    expect((await api.post(RISKS, { raw_text: TEXT })).body.credits).toEqual({ charged: 2, balance: 4, would_charge: null });
    const [capture, reserve, grant] = (await screen.get(`${CREDITS}/entries`)).body.data;
    expect([capture, reserve, grant].map(({ kind, amount, balance, reserved }) => [kind, amount, balance, reserved])).toEqual([
      ['capture', 2, 4, 0],
      ['reserve', 2, 6, 2],
      ['grant', 5, 6, 0],
    ]);
    expect([capture.actor.type, grant.actor.type, grant.note]).toEqual(['api_key', 'user', 'Order 4711']);
  });

  it('requested concurrently runs and is charged once', async () => {
    respond = async (response, kind) => {
      await sleep(400);
      succeeds(response, kind);
    };
    const responses = await Promise.all(Array.from({ length: 8 }, () => api.post(SUMMARIZE, { raw_text: TEXT })));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(responses.reduce((sum, { body }) => sum + body.credits.charged, 0)).toBe(1);
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
    expect(modelRequests).toBe(1);
  });

  it('that fails lets the waiting calls run the analysis', async () => {
    const summarize = async () => (await api.post(SUMMARIZE, { raw_text: TEXT })).status;
    let waiting: Promise<number> | undefined;
    respond = async (response) => {
      waiting = summarize();
      await sleep(300);
      respond = succeeds;
      fails(response);
    };
    expect([await summarize(), await waiting]).toEqual([502, 200]);
    expect(await account()).toEqual({ balance: 999, reserved: 0 });
  });

  it('never overdraws the balance, even with concurrent runs', async () => {
    await withCredits(3);
    respond = async (response, kind) => {
      await sleep(200);
      succeeds(response, kind);
    };
    const responses = await Promise.all(Array.from({ length: 6 }, (_, index) => api.post(SUMMARIZE, { raw_text: `${TEXT} ${index}` })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 502, 502, 502]);
    expect(await account()).toEqual({ balance: 0, reserved: 0 });
  });

  it('holds no transaction open during the model call', async () => {
    let open = -1;
    respond = async (response, kind) => {
      await sleep(100);
      open = (
        await app.sql.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
        )
      ).rows[0].n;
      succeeds(response, kind);
    };
    expect((await api.post(SUMMARIZE, { raw_text: TEXT }, { 'idempotency-key': 'open' })).status).toBe(200);
    expect(open).toBe(0);
  });

  it('is not blocked by calls with Idempotency-Keys that wait for the model', async () => {
    const end = Promise.withResolvers<void>();
    respond = async (response, kind) => {
      await end.promise;
      succeeds(response, kind);
    };
    const sent = Array.from({ length: 30 }, (_, index) =>
      api.post(SUMMARIZE, { raw_text: `${TEXT} ${index}` }, { 'idempotency-key': `many-${index}` }),
    );
    expect(
      await eventually(
        async () => modelRequests,
        (count) => count === 30,
      ),
    ).toBe(30);
    expect((await api.get(DOCUMENTS)).status).toBe(200);
    const repeated = await api.post(SUMMARIZE, { raw_text: `${TEXT} 0` }, { 'idempotency-key': 'many-0' });
    expect(errorOf(repeated)).toEqual([409, 'idempotency_in_progress']);
    end.resolve();
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await account()).toEqual({ balance: 970, reserved: 0 });
  });

  it('with force and a lost response is not charged again with the same Idempotency-Key', async () => {
    const send = (key: string) => api.post(SUMMARIZE, { raw_text: TEXT, force: true }, { 'idempotency-key': key });
    expect((await send('lost')).body.credits.charged).toBe(1);
    // as if the process had died between the charge and the idempotency record
    await app.sql.query('DELETE FROM idempotency_records');
    expect((await send('lost')).body).toMatchObject({ cached: true, credits: { charged: 0, balance: 999 } });
    expect((await send('another')).body.credits.charged).toBe(1);
  });

  it('whose process died releases its credits when it expires, by the scheduled job or the next request for it', async () => {
    const credits = app.service<AiCredits>('AiCredits');
    const reserve = (cacheKey: string) =>
      credits.reserve(space.ctx(), {
        cacheKey,
        forced: false,
        credits: 7,
        actor: { type: 'system', id: null, email: null },
        documentId: null,
        expiresAt: new Date(Date.now() - 1_000),
      });
    const left = await reserve('a');
    expect(await account()).toEqual({ balance: 1_000, reserved: 7 });
    await app.runScheduledJob('documents.release_ai_credits');
    expect(await account()).toEqual({ balance: 1_000, reserved: 0 });
    // too late to capture: its credits may have been spent elsewhere
    expect('run' in left && (await credits.capture(space.ctx(), left.run, async () => null))).toBeNull();
    await reserve('b');
    await reserve('b');
    expect(await account()).toEqual({ balance: 1_000, reserved: 7 });
    await app.runScheduledJob('documents.release_ai_credits');
  });

  it('whose credits cannot be released does not hold up the others, nor the deletion of old results', async () => {
    const credits = app.service<AiCredits>('AiCredits');
    for (const [cacheKey, ago] of [
      ['stuck', 2_000],
      ['free', 1_000],
    ] as const) {
      await credits.reserve(space.ctx(), {
        cacheKey,
        forced: false,
        credits: 7,
        actor: { type: 'system', id: null, email: null },
        documentId: null,
        expiresAt: new Date(Date.now() - ago),
      });
    }
    expect((await api.post(SUMMARIZE, { raw_text: TEXT })).status).toBe(200);
    await app.sql.query(`UPDATE ai_analyses SET analysed_at = now() - interval '91 days' WHERE organization_id = $1`, [
      space.organizationId,
    ]);
    await app
      .inside<typeof import('../../../../../test/harness/spies.js')>('test/harness/spies.ts')
      .failNextCall('AiCredits', 'release', 'The database was gone.');
    await expect(app.runScheduledJob('documents.release_ai_credits')).rejects.toThrow(
      /^1 of 2 rows failed, first [0-9a-f-]{36}: The database was gone\.$/,
    );
    await app.runScheduledJob('platform.purge');
    expect((await account()).reserved).toBe(7);
    expect((await app.sql.query(`SELECT id FROM ai_analyses WHERE organization_id = $1`, [space.organizationId])).rows).toEqual([]);
    await app.runScheduledJob('documents.release_ai_credits');
  });
});

describe('the analyzed text', () => {
  it.each([
    [{}, 400, 'missing_fields', 'document_id'],
    [{ document_id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20', raw_text: 'x' }, 400, 'validation_failed', 'raw_text'],
    [{ raw_text: 'x'.repeat(200_001) }, 413, 'payload_too_large', 'raw_text'],
    [{ raw_text: 'x', perspective: 'p'.repeat(65) }, 400, 'validation_failed', 'perspective'],
    [{ raw_text: 'x', custom_focus: 'f'.repeat(2_001) }, 400, 'validation_failed', 'custom_focus'],
    [{ document_id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20' }, 404, 'not_found', undefined],
  ])('%.60j fails with %i %s', async (body, status, code, param) => {
    const {
      status: got,
      body: { error },
    } = await api.post(SUMMARIZE, body);
    expect([got, error.code, error.param]).toEqual([status, code, param]);
    expect(modelRequests).toBe(0);
  });

  it('may be 200,000 characters long', async () => {
    expect((await api.post(SUMMARIZE, { raw_text: 'x'.repeat(200_000) })).body.credits.charged).toBe(50);
  });

  it('interface rules 2 and 3: a document of another project is 404, and a pinned key names no other project', async () => {
    const { code } = await makeType(app, space.ctx(), { template: TEXT });
    const everywhere = (await space.key({ module: 'documents' })).client;
    const {
      body: { id },
    } = await everywhere.post(DOCUMENTS, { type_code: code, title: 'Elsewhere', project_id: space.ops.id });
    expect(errorOf(await api.post(RISKS, { document_id: id }))).toEqual([404, 'not_found']);
    expect(errorOf(await everywhere.post(RISKS, { document_id: id, project_id: space.eng.id }))).toEqual([404, 'not_found']);
    expect(errorOf(await api.post(RISKS, { raw_text: 'x', project_id: space.ops.id }))).toEqual([403, 'project_scope_mismatch']);
    const found = await everywhere.post(RISKS, { document_id: id });
    expect(found.body).toMatchObject({ document_id: id, risks: [{ quote: TEXT, quote_verified: true }] });
    const { body: entries } = await (await space.signIn()).get(`${CREDITS}/entries?limit=2`);
    expect(entries.data).toMatchObject([
      { kind: 'capture', document_id: id, actor: { type: 'api_key' } },
      { kind: 'reserve', document_id: id },
    ]);
  });

  it('needs the scope papers:ai:run', async () => {
    const { client } = await space.key({ module: 'documents', scopes: ['papers:document:read', 'papers:document:write'] });
    expect(errorOf(await client.post(SUMMARIZE, { raw_text: 'x' }))).toEqual([403, 'insufficient_scope']);
  });
});
