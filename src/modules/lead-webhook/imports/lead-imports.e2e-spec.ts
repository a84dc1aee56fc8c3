import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import type { ApiResponse, Client } from '../../../../test/harness/client.js';
import { eventually } from '../../../../test/harness/eventually.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

const LEADS = '/api/v1/org/marketing/leads';
const IMPORTS = '/api/v1/org/marketing/lead-imports';
const CSV = { 'content-type': 'text/csv' };

const ROWS = 3_000;
/** Of 250 rows. */
const CHUNKS = 12;

const app = await sharedApp();
const statements = app.inside<typeof import('../../../../test/harness/statements.js')>('test/harness/statements.ts');
let space: Workspace;
let owner: Client;

beforeAll(async () => {
  space = await app.workspace();
  owner = await space.signIn();
  await app.sql.query(
    `INSERT INTO custom_fields (id, organization_id, project_id, resource, key, label, type, options, position)
     SELECT gen_random_uuid(), $1, $2, 'lead', key, key, type, options, 1
     FROM (VALUES ('budget', 'number', '{}'::text[]), ('vip', 'boolean', '{}'), ('topics', 'choices', '{Boats,Cars}'))
       AS f (key, type, options)`,
    [space.organizationId, space.eng.id],
  );
});

function start(file: string, options: Record<string, string> = {}, client = owner): Promise<ApiResponse> {
  return client.post(`${LEADS}/import?${new URLSearchParams({ project_id: space.eng.id, ...options })}`, file, CSV);
}

async function done(response: ApiResponse, within = 30_000): Promise<ApiResponse['body']> {
  expect([response.status, response.text]).toEqual([202, expect.any(String)]);
  return (
    await eventually(
      () => owner.get(`${IMPORTS}/${response.body.id}`),
      ({ body }) => body.finished_at !== null,
      within,
    )
  ).body;
}

/** The statements that the application sends meanwhile, except those with which the test reads the state of the import. */
async function statementsOf(work: () => Promise<void>): Promise<string[]> {
  await statements.recordStatements();
  await work();
  const sent = await statements.takeStatements();
  return sent.filter((text) => /\b(?:leads|lead_(?!imports)\w+|crm_\w+|INTO outbox_events|INTO jobs|SAVEPOINT)\b/.test(text));
}

async function issuesOf(id: string) {
  const { body } = await owner.get(`${IMPORTS}/${id}/issues?limit=100`);
  return body.data.map(({ row_number, severity, code, param, message }: Record<string, unknown>) => [
    row_number,
    severity,
    code,
    param,
    message,
  ]);
}

async function leadsOf(like: string) {
  return (await app.sql.query('SELECT * FROM leads WHERE email_normalized LIKE $1 ORDER BY id', [like])).rows;
}

describe('an import', () => {
  it('maps columns by their headings, creates a lead per row and skips rows with errors', async () => {
    const file =
      '\ufeffFull Name;E-Mail;email;Phone;Consent Email;Remarks\r\nAda Lovelace;x;ada@one.example;+49 30 901820;yes;"a;b"\r\n' +
      ';;nobody@one.example;;;\r\n\r\nBad Address;;not an address;;;\r\nNo Reach;;;;;\r\n' +
      'Maybe Consent;;maybe@one.example;;perhaps;\r\nGrace Hopper;;grace@one.example;;no;';
    const started = await start(file);
    expect(started.body).toMatchObject({
      object: 'lead_import',
      state: 'queued',
      dry_run: false,
      rows_total: 6,
      rows_done: 0,
      file_name: null,
      created_by: { type: 'user', id: space.owner.id },
      mapping: { 'Full Name': 'full_name', email: 'email', Phone: 'phone', 'Consent Email': 'consent_email' },
      ignored_columns: ['E-Mail', 'Remarks'],
    });
    const finished = await done(started);
    expect(finished).toMatchObject({
      state: 'completed',
      failure: null,
      rows_done: 6,
      created_count: 2,
      error_count: 4,
      warning_count: 0,
      started_at: expect.any(String),
    });
    expect(await issuesOf(finished.id)).toEqual([
      [2, 'error', 'missing_fields', 'full_name', 'full_name is required, or first_name and last_name'],
      [3, 'error', 'invalid_value', 'email', 'email must be an e-mail address'],
      [4, 'error', 'missing_fields', 'email', 'email or phone is required'],
      [5, 'error', 'invalid_value', 'consent_email', expect.stringContaining('consent_email must be true or false; if')],
    ]);
    const [ada, grace] = await leadsOf('%@one.example');
    expect(ada).toMatchObject({
      full_name: 'Ada Lovelace',
      phone_normalized: '+4930901820',
      mode: 'live',
      submission_count: 1,
      score: 0,
      created_by: { type: 'user', id: space.owner.id },
    });
    expect([ada.consent.email.granted, grace.consent.email.granted, grace.consent.sms.granted]).toEqual([true, false, null]);
  });

  it('accepts a mapping and converts custom fields by their types', async () => {
    const mapping = JSON.stringify({
      Name: 'full_name',
      Mail: 'email',
      Money: 'custom_fields.budget',
      Vip: 'custom_fields.vip',
      About: 'custom_fields.topics',
      Id: 'external_id',
      Phone: null,
    });
    const finished = await done(
      await start('Name,Mail,Money,Vip,About,Id,Phone\nA B,a@two.example,12.5,yes,Boats; Cars,X1,123\nC D,c@two.example,much,,Planes,,\n', {
        mapping,
      }),
    );
    expect(finished).toMatchObject({ created_count: 1, error_count: 1, ignored_columns: ['Phone'] });
    expect((await leadsOf('%@two.example'))[0]).toMatchObject({
      custom_fields: { budget: 12.5, vip: true, topics: ['Boats', 'Cars'] },
      external_id: 'X1',
      phone: null,
    });
    expect(await issuesOf(finished.id)).toEqual([
      [2, 'error', 'validation_failed', 'custom_fields.budget', expect.stringContaining('custom_fields.budget must be a number; if')],
    ]);
  });

  it('matches no lead: repeated rows get a warning, and an import that repeats another creates all leads again', async () => {
    const file = 'full_name,email,external_id\nA,same@three.example,\nB, SAME@three.example ,7\nC,other@three.example,7\n';
    const finished = await done(await start(file));
    expect(finished).toMatchObject({ created_count: 3, error_count: 0, warning_count: 2 });
    expect(await issuesOf(finished.id)).toEqual([
      [2, 'warning', 'repeated', 'email', 'email is the same as in row 1; an import does not match leads'],
      [3, 'warning', 'repeated', 'external_id', 'external_id is the same as in row 2; an import does not match leads'],
    ]);
    await done(await start(file, { repeat: 'true' }));
    expect(await leadsOf('%@three.example')).toHaveLength(6);
  });

  it.each(['false', 'true'])('warns of repeated rows only when they create a lead, dry run: %s', async (dry_run) => {
    const finished = await done(
      await start(
        `full_name,email,consent_email\nA,once@six-${dry_run}.example,\n,once@six-${dry_run}.example,\n` +
          `B,once@six-${dry_run}.example,perhaps\nC,once@six-${dry_run}.example,\n`,
        { dry_run },
      ),
    );
    expect(finished).toMatchObject({ created_count: 2, error_count: 2, warning_count: 1 });
    expect((await issuesOf(finished.id)).map(([row, severity]: unknown[]) => [row, severity])).toEqual([
      [2, 'error'],
      [3, 'error'],
      [4, 'warning'],
    ]);
  });

  it('creates nothing in a dry run, but finds the same issues', async () => {
    const events = async () =>
      (await app.sql.query('SELECT count(*) FROM outbox_events WHERE organization_id = $1', [space.organizationId])).rows[0].count;
    const before = await events();
    const file = 'full_name,email\nA,a@four.example\n,b@four.example\n';
    const tried = await owner.post(`${LEADS}/import?project_id=${space.eng.id}`, file, { ...CSV, 'svc-dry-run': 'true' });
    expect(tried.body).toMatchObject({ dry_run: true, rows_total: 2, mapping: { full_name: 'full_name' } });
    expect((await owner.get(`${IMPORTS}/${tried.body.id}`)).status).toBe(404);
    const finished = await done(await start(file, { dry_run: 'true' }));
    expect(finished).toMatchObject({ dry_run: true, state: 'completed', created_count: 1, error_count: 1, rows_done: 2 });
    expect(await issuesOf(finished.id)).toHaveLength(1);
    expect([await leadsOf('%@four.example'), await events()]).toEqual([[], before]);
  });

  it.each(['false', 'true'])('reports errors that only the database detects, dry run: %s', async (dry_run) => {
    const {
      rows: [{ id }],
    } = await app.sql.query<{ id: string }>(
      `INSERT INTO lead_sources (id, organization_id, project_id, name) VALUES (gen_random_uuid(), $1, $2, $3) RETURNING id`,
      [space.organizationId, space.eng.id, `Source ${dry_run}`],
    );
    const domain = `stale-${dry_run}.example`;
    await done(await start(`full_name,email,source_id\nA,a@${domain},${id}\n`, { dry_run: 'true' }));
    // the configuration is remembered, so only the constraint knows
    await app.sql.query('DELETE FROM lead_sources WHERE id = $1', [id]);
    const finished = await done(await start(`full_name,email,source_id\nA,a@${domain},${id}\nB,b@${domain},\n`, { dry_run }));
    expect(finished).toMatchObject({ state: 'completed', created_count: 1, error_count: 1 });
    expect(await issuesOf(finished.id)).toEqual([[1, 'error', 'validation_failed', 'source_id', expect.any(String)]]);
    expect(await leadsOf(`%@${domain}`)).toHaveLength(dry_run === 'true' ? 0 : 1);
  });

  it('can be a form, whose fields take precedence over the query', async () => {
    const form = new FormData();
    form.set('file', new File(['Who,Where\nA B,a@five.example\n'], 'leads.csv', { type: 'text/csv' }));
    form.set('mapping', '{"Who":"full_name","Where":"email"}');
    form.set('project_id', space.ops.id);
    const packed = new Response(form);
    const headers = { ...owner.headers, 'content-type': packed.headers.get('content-type') as string };
    const response = await fetch(`${app.url}${LEADS}/import?project_id=${space.eng.id}`, {
      method: 'POST',
      headers,
      body: await packed.arrayBuffer(),
    });
    const body = (await response.json()) as { id: string };
    expect([response.status, body]).toEqual([202, expect.objectContaining({ file_name: 'leads.csv', project_id: space.ops.id })]);
    await eventually(
      () => owner.get(`${IMPORTS}/${body.id}`),
      (got) => got.body.finished_at !== null,
    );
    expect(await leadsOf('%@five.example')).toMatchObject([{ full_name: 'A B', project_id: space.ops.id }]);
  });

  it('starts once per Idempotency-Key and file', async () => {
    const send = (file: string) =>
      owner.post(`${LEADS}/import?project_id=${space.eng.id}`, file, { ...CSV, 'idempotency-key': 'import-1' });
    const [first, again, other] = [
      await send('full_name,email\nA,a@eight.example\n'),
      await send('full_name,email\nA,a@eight.example\n'),
      await send('full_name,email\nB,b@eight.example\n'),
    ];
    expect([first.status, again.status, again.body.id, again.headers['idempotent-replayed'], other.status]).toEqual([
      202,
      202,
      first.body.id,
      'true',
      422,
    ]);
    await done(first);
    expect(await leadsOf('%@eight.example')).toHaveLength(1);
  });

  it('of a file that was imported before is the earlier import, also when both are sent at once', async () => {
    const file = 'full_name,email,job_title\nA,a@nine.example,x\nB,b@nine.example,y\n';
    const both = await Promise.all([start(file), start(file)]);
    const finished = await done(both[0]);
    const again = await start(file);
    expect([...both, again].map(({ status, body }) => [status, body.id])).toEqual(Array(3).fill([202, finished.id]));
    expect(again.body).toMatchObject({ state: 'completed', rows_done: 2, created_count: 2 });
    expect(await leadsOf('%@nine.example')).toHaveLength(2);
    const others: [string, Record<string, string>][] = [
      [file, { mapping: '{"full_name":"full_name","email":"email"}' }],
      [file, { project_id: space.ops.id }],
      [file, { dry_run: 'true' }],
      [`${file}C,c@nine.example,z\n`, {}],
    ];
    const ids = await Promise.all(others.map(async ([text, options]) => (await done(await start(text, options))).id as string));
    expect(new Set([finished.id, ...ids]).size).toBe(5);
  });

  describe('that failed', () => {
    afterEach(async () => {
      await app.sql.query('DROP FUNCTION IF EXISTS reject_lead CASCADE');
    });

    /** An import of 600 rows of which the database rejects one in the second chunk. */
    async function failing(domain: string, options: Record<string, string> = {}) {
      const rows = Array.from({ length: 600 }, (_, n) => `P ${n},p${n}@${domain}`);
      const file = `full_name,email\n${rows.join('\n')}\n`;
      await app.sql
        .query(`CREATE FUNCTION reject_lead() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no space left'; END $$;
        CREATE TRIGGER reject_lead BEFORE INSERT ON leads FOR EACH ROW WHEN (NEW.email_normalized = 'p300@${domain}')
        EXECUTE FUNCTION reject_lead()`);
      const { id } = (await start(file, options)).body;
      // fails once, and then for the last time, when the next import notifies the worker
      const job = `payload ->> 'import_id' = $1 AND leased_until IS NULL AND failures = 1`;
      const postpone = () => app.sql.query(`UPDATE jobs SET failures = 4, due_at = now() WHERE ${job}`, [id]);
      await eventually(postpone, ({ rowCount }) => rowCount === 1);
      await start(`full_name,email\nWaker,waker@${domain}.example\n`);
      const failed = await eventually(
        () => owner.get(`${IMPORTS}/${id}`),
        ({ body }) => body.finished_at !== null,
      );
      const { rows: keys } = await app.sql.query<{ n: number }>('SELECT count(*)::int AS n FROM lead_import_keys WHERE import_id = $1', [
        id,
      ]);
      await app.sql.query('DROP FUNCTION reject_lead CASCADE');
      return { id, file, failed: failed.body, keys: keys[0].n };
    }

    it('continues where it stopped when its file is sent again', async () => {
      const { id, file, failed, keys } = await failing('failed.example');
      expect(failed).toMatchObject({
        state: 'failed',
        rows_done: 250,
        created_count: 250,
        failure: expect.stringContaining('to continue'),
      });
      expect(keys).toBe(250);
      const again = await start(file);
      expect(again.body).toMatchObject({ id, state: 'queued', failure: null, rows_done: 250 });
      expect(await done(again)).toMatchObject({ id, state: 'completed', rows_done: 600, created_count: 600, warning_count: 0 });
      expect(await leadsOf('%@failed.example')).toHaveLength(600);
    });

    it.each([
      ['a repeated import', { repeat: 'true' }, 'Rows 1 to 250 are done: send only later rows'],
      ['a dry run', { dry_run: 'true' }, 'Nothing was imported; send the file again to repeat it.'],
    ])(
      'does not promise to continue: %s',
      async (_, options, text) => {
        const { failed, keys } = await failing(`${Object.keys(options)[0].replace('_', '-')}.example`, options);
        expect(failed).toMatchObject({ state: 'failed', rows_done: 250, failure: expect.stringContaining(text) });
        expect(keys).toBe(0);
      },
      40_000,
    );
  });

  it('loses the row of a stray quote and no other', async () => {
    const finished = await done(
      await start('full_name,email\nA,a@ten.example\n5" Pipe,b@ten.example\n"Open,c@ten.example\n"D\nE",d@ten.example\nF,f@ten.example\n'),
    );
    expect(finished).toMatchObject({ state: 'completed', rows_total: 5, created_count: 3, error_count: 2 });
    expect((await issuesOf(finished.id)).map((issue: unknown[]) => issue.slice(0, 4))).toEqual([
      [2, 'error', 'invalid_value', 'row'],
      [3, 'error', 'invalid_value', 'row'],
    ]);
    expect((await leadsOf('%@ten.example')).map(({ full_name }) => full_name)).toEqual(['A', 'D E', 'F']);
  });

  it('creates test leads in test mode', async () => {
    const test = owner.with({ 'svc-mode': 'test' });
    const { body } = await start('full_name,email\nA,a@six.example\n', {}, test);
    expect((await owner.get(`${IMPORTS}/${body.id}`)).status).toBe(404);
    await eventually(
      () => test.get(`${IMPORTS}/${body.id}`),
      (got) => got.body.finished_at !== null,
    );
    expect(await leadsOf('%@six.example')).toMatchObject([{ mode: 'test' }]);
  });

  it('of many rows takes one transaction per chunk, one statement per row, and shows its progress', async () => {
    const rows = Array.from({ length: ROWS }, (_, n) => `Person ${n},p${n}@many.example,+4915${10_000_000 + n},Company ${n % 100}`);
    const seen = new Set<number>();
    const sent = await statementsOf(async () => {
      const started = await start(`full_name,email,phone,company_name\n${rows.join('\n')}\n`);
      const finished = await eventually(
        () => owner.get(`${IMPORTS}/${started.body.id}`),
        ({ body }) => {
          seen.add(body.rows_done);
          return body.finished_at !== null;
        },
      );
      expect(finished.body).toMatchObject({ state: 'completed', rows_total: ROWS, rows_done: ROWS, created_count: ROWS, error_count: 0 });
    });
    const created = await app.sql.query<{ transactions: number; rows: number }>(
      `SELECT count(DISTINCT xmin::text)::int AS transactions, count(*)::int AS rows FROM leads
       WHERE email_normalized LIKE '%@many.example'`,
    );
    expect(created.rows).toEqual([{ transactions: CHUNKS, rows: ROWS }]);
    expect([...seen].filter((count) => count > 0 && count < ROWS).length).toBeGreaterThan(0);
    // one per row, and few per chunk
    expect(sent.length).toBeLessThan(ROWS + 30 * CHUNKS);
  });

  it('of many invalid rows takes few statements per chunk', async () => {
    const rows = Array.from({ length: ROWS }, (_, n) => `Person ${n},p${n}@rejected.example,0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2fff`);
    const sent = await statementsOf(async () => {
      const finished = await done(await start(`full_name,email,source_id\n${rows.join('\n')}\n`), 60_000);
      expect(finished).toMatchObject({ state: 'completed', created_count: 0, error_count: ROWS });
    });
    expect(await leadsOf('%@rejected.example')).toEqual([]);
    expect(sent.length).toBeLessThan(30 * CHUNKS);
  });
});

describe('an import is rejected', () => {
  it.each([
    ['an empty body', '', {}, 400, 'missing_fields'],
    ['headings alone', 'full_name,email\n', {}, 400, 'validation_failed'],
    ['no known column', 'a,b\n1,2\n', {}, 400, 'validation_failed'],
    ['an open quote in its headings', 'full_name,"email\nA,b\n', {}, 400, 'validation_failed'],
    ['other encodings', Buffer.from([0x66, 0xe4, 0x0a, 0x31]).toString('latin1') + '\u0000', {}, 400, 'validation_failed'],
    ['a mapping that is no JSON', 'a\nb\n', { mapping: 'x' }, 400, 'validation_failed'],
    ['a mapping of no column', 'a\nb\n', { mapping: '{"x":"email"}' }, 400, 'validation_failed'],
    ['a mapping to no field', 'a\nb\n', { mapping: '{"a":"password"}' }, 400, 'validation_failed'],
    ['two columns for one field', 'a,b\n1,2\n', { mapping: '{"a":"email","b":"email"}' }, 400, 'validation_failed'],
    ['an unknown project', 'email\na@b.example\n', { project_id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2fff' }, 400, 'validation_failed'],
    ['more than 500 columns', `${'a,'.repeat(500)}email\n1\n`, {}, 400, 'validation_failed'],
    ['a heading of more than 255 characters', `email,${'a'.repeat(256)}\n1\n`, {}, 400, 'validation_failed'],
    ['more than 100,000 rows', `email\n${'a@b.example\n'.repeat(100_001)}`, {}, 413, 'payload_too_large'],
    ['more than 32 MiB', `email\n${'a'.repeat(32 * 1024 * 1024)}`, {}, 413, 'payload_too_large'],
  ])('with %s', async (_, file, options, status, code) => {
    const response = await start(file, options as Record<string, string>);
    expect([response.status, response.body.error.code]).toEqual([status, code]);
  });

  it('as JSON, without CSRF token, and without the permission', async () => {
    const json = await owner.post(`${LEADS}/import?project_id=${space.eng.id}`, {});
    expect([json.status, json.body.error.code]).toEqual([415, 'unsupported_media_type']);
    expect((await start('email\na@b.example\n', {}, owner.with({ 'x-csrf-token': 'x' }))).body.error.code).toBe('csrf_token_invalid');
    const otherCaller = await space.signIn((await space.member('member')).email);
    expect((await start('email\na@b.example\n', {}, otherCaller)).body.error.code).toBe('permission_denied');
    expect((await otherCaller.get(`${IMPORTS}`)).status).toBe(403);
  });

  it('for other organizations', async () => {
    const { body } = await start('full_name,email\nA,a@seven.example\n');
    const otherCaller = await (await app.workspace()).signIn();
    for (const path of ['', '/issues']) expect((await otherCaller.get(`${IMPORTS}/${body.id}${path}`)).status).toBe(404);
    expect((await otherCaller.get(`${IMPORTS}`)).body.data).toEqual([]);
  });
});
