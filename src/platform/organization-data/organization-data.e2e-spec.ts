import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';
import { parseTar } from 'nanotar';
import { startDemoApp } from '../../../test/harness/demo.js';
import { eventually } from '../../../test/harness/eventually.js';
import { Receiver } from '../../../test/harness/receiver.js';
import { signIn } from '../../../test/harness/workspace.js';
import { addressPattern } from '../../kit/internal.js';
import { organizationTables } from './tables/organization-tables.js';
import type { PersonReport } from './people/person-erasures.js';

const { app, demo } = await startDemoApp();
const { organization_id: organization, members } = demo.facts();
const { tables, unknown } = await organizationTables(app.sql);
const owner = members.find(({ role }) => role === 'owner')!;
const receiver = await Receiver.start();
afterAll(() => receiver.stop());
const ORG = '/api/v1/org';

const PERSON = { email: 'petra@personal.example', name: 'Petra Mustermann' };

interface Manifest {
  tables: { name: string; rows: number; columns: { name: string; type: string }[] }[];
  omitted_tables: Record<string, string>;
}

const idOfRows = `SELECT DISTINCT m[1] AS id FROM {} t,
  regexp_matches(t::text, '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g') m`;

/** By table, in every schema: the ids that its rows contain anywhere. */
async function idsByTable(): Promise<[string, string[]][]> {
  const { rows } = await app.sql.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const found: [string, string[]][] = [];
  for (const { name } of rows)
    found.push([name, (await app.sql.query<{ id: string }>(idOfRows.replace('{}', name))).rows.map(({ id }) => id)]);
  return found;
}

/** The primary keys of its rows that are ids, and its own. */
async function idsOf(id: string): Promise<Set<string>> {
  const found: string[] = [id];
  for (const { name, owned, columns } of tables)
    if (columns.some((column) => column.name === 'id' && column.type === 'uuid'))
      found.push(
        ...(await app.sql.query<{ id: string }>(`SELECT id FROM "${name}" t WHERE ${owned('t')}`, [id])).rows.map((row) => row.id),
      );
  return new Set(found);
}

/** The rows of an organization, by table: how many, and their hash. */
async function rowsOf(id: string): Promise<Record<string, string>> {
  const rows: Record<string, string> = {};
  for (const { name, owned } of tables) {
    const { rows: found } = await app.sql.query<{ count: number; hash: string }>(
      `SELECT count(*)::int AS count, md5(string_agg(t::text, '' ORDER BY t::text)) AS hash FROM "${name}" t WHERE ${owned('t')}`,
      [id],
    );
    if (found[0].count > 0) rows[name] = `${found[0].count} ${found[0].hash}`;
  }
  return rows;
}

/** By table. */
async function countsOf(id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, owned } of tables) {
    const { rows } = await app.sql.query<{ count: number }>(`SELECT count(*)::int AS count FROM "${name}" t WHERE ${owned('t')}`, [id]);
    counts[name] = rows[0].count;
  }
  return counts;
}

test('every table says to which organization its rows belong, and lets those of an erased one go', async () => {
  expect(unknown).toEqual([]);
  // a function that refuses to delete a row, in a module of anybody
  const { rows } = await app.sql.query(
    `SELECT DISTINCT p.proname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
     WHERE NOT t.tgisinternal AND t.tgtype::integer & 9 = 9 AND p.prosrc ~ 'RAISE EXCEPTION' AND p.prosrc !~ 'is_being_erased'`,
  );
  expect(rows).toEqual([]);
});

test('an export has every row and file, part by part, and no secret', async () => {
  const client = await signIn(app.url, owner);
  await app.sql.query(
    `UPDATE mails SET confidential = true, text = 'secret-of-a-mail'
     WHERE id = (SELECT id FROM mails WHERE organization_id = $1 ORDER BY id LIMIT 1)`,
    [organization],
  );
  await app.sql.query(
    `WITH record AS (
       INSERT INTO deleted_records (id, organization_id, project_id, mode, module, resource, record_id, title, deleted_by)
       SELECT gen_random_uuid(), organization_id, project_id, mode, 'crm', 'contact', gen_random_uuid(), 'A contact', '{}'
       FROM contacts WHERE organization_id = $1 LIMIT 1 RETURNING id)
     INSERT INTO deleted_rows (deleted_record_id, place, table_name, rows)
     SELECT id, 0, 'member_invitations', json_build_array(json_build_object('email', $2::text, 'token_hash', 'secret-of-the-bin'))
     FROM record`,
    [organization, PERSON.email],
  );
  const forged = Buffer.from('{"started_at":"","table":"mails","after":null,"part":0,"rows":{}}').toString('base64url');
  const refused = await client.get(`${ORG}/organization/export?cursor=${forged}`);
  expect(refused).toMatchObject({ status: 400, body: { error: { param: 'cursor' } } });
  // jobs of the demo may still write
  const before = await countsOf(organization);
  const parts: Buffer[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const { status, headers, body } = await client.get(`${ORG}/organization/export${cursor && `?cursor=${cursor}`}`);
    expect(status).toBe(200);
    parts.push(body as Buffer);
    cursor = headers['svc-next-cursor'] as string | undefined;
    // nginx takes 4 KB for all headers
    expect(cursor?.length ?? 0).toBeLessThan(3500);
  }
  const archive = gunzipSync(Buffer.concat(parts));
  const files = new Map(parseTar(new Uint8Array(archive)).map(({ name, data }) => [name, Buffer.from(data ?? [])]));
  const manifest = JSON.parse(String(files.get('manifest.json'))) as Manifest;
  expect(manifest).toMatchObject({ format: 'work-suite-export', version: 1, organization: { id: organization } });
  const after = await countsOf(organization);
  const described = new Map(manifest.tables.map((table) => [table.name, table]));
  expect([...described.keys(), ...Object.keys(manifest.omitted_tables)].sort()).toEqual(tables.map(({ name }) => name).sort());
  let attached = 0;
  for (const [name, table] of described) {
    const lines = [...files].flatMap(([path, data]) => (path.startsWith(`tables/${name}/`) ? String(data).trimEnd().split('\n') : []));
    expect([name, lines.length]).toEqual([name, table.rows]);
    const counts = [before[name], after[name]];
    expect([name, lines.length >= Math.min(...counts) && lines.length <= Math.max(...counts)]).toEqual([name, true]);
    for (const line of lines) {
      const row = JSON.parse(line) as Record<string, { file?: string; sha256?: string } | null>;
      expect(Object.keys(row)).toEqual(table.columns.map((column) => column.name));
      for (const column of table.columns.filter(({ type }) => type === 'file')) {
        const file = row[column.name];
        if (!file) continue;
        attached++;
        expect([file.file, createHash('sha256').update(files.get(file.file!)!).digest('hex')]).toEqual([file.file, file.sha256]);
      }
    }
  }
  expect(attached).toBeGreaterThan(0);
  expect(described.get('members')).toMatchObject({ module: null, omitted_columns: { password_hash: 'a secret, or its hash' } });
  const text = archive.toString('latin1');
  expect(text).toContain(PERSON.email);
  for (const secret of ['$argon2', 'svc_whsec_', 'secret-of-a-mail', 'secret-of-the-bin']) expect(text).not.toContain(secret);
});

/** Where she is: table, values, and which row of the demo. */
const PLACES: readonly [table: string, values: string, where?: string][] = [
  ['contacts', `email = $2, email_normalized = $2, full_name = $1, first_name = 'Petra'`],
  ['leads', `email = $2, email_normalized = $2, full_name = $1`],
  ['desk_requesters', `email = $2, name = $1`],
  ['desk_tickets', `requester_email = $2, requester_name = $1, subject = 'Help for ' || $1`, `status_category = 'closed'`],
  ['desk_messages', `author_email = $2, author_name = $1, body = 'Regards, ' || $1`, `kind = 'public'`],
  ['schedule_bookings', `guest_email = $2, guest_name = $1`],
  ['schedule_invitees', `email = $2, name = $1`],
  ['storefront_orders', `email = $2, name = $1`, `state <> 'draft'`],
  ['accounting_customers', `email = $2, name = $1`, `id IN (SELECT customer_id FROM accounting_invoices WHERE status <> 'draft')`],
  ['hr_employees', `work_email = $2, name = $1, status = 'left', left_on = hired_on, member_id = NULL`],
  ['document_submissions', `data_values = jsonb_build_object('name', $1::text, 'email', $2::text)`],
  ['task_comments', `body = 'Call ' || $1 || ' ' || $2`],
  ['outbox_events', `body = jsonb_set(body::jsonb, '{data,object,email}', to_jsonb($2::text))::text || left($1, 0)`],
  ['mails', `recipient = $2, subject = 'Dear ' || $1, status = 'sent'`],
  // of somebody else, with the same name and a longer address
  ['mails', `recipient = $2 || '.uk', subject = 'Dear ' || $1, status = 'sent'`, 'recipient <> $2'],
];

test.each([
  ['a@example.co', true],
  ['mail to <a@example.co>, or call', true],
  ['It is a@example.co.', true],
  [JSON.stringify('Regards\na@example.co\n'), true],
  ['a@example.co.uk', false],
  ['a@example.com', false],
  ['ann.a@example.co', false],
])('whether %j contains an address', async (text, contains) => {
  const { rows } = await app.sql.query('SELECT $1 ~ $2 AS contains', [text.toLowerCase(), addressPattern('a@example.co')]);
  expect(rows).toEqual([{ contains }]);
});

test('a person is erased in all modules; what stays is what the report says', async () => {
  const client = await signIn(app.url, owner);
  const connection = await app.sql.connect();
  const values = [PERSON.name, PERSON.email, organization];
  try {
    // rows that never change are hers, too
    await connection.query('BEGIN; SET LOCAL session_replication_role = replica');
    for (const [table, set, where = 'true'] of PLACES) {
      const { rowCount } = await connection.query(
        `UPDATE ${table} SET ${set} WHERE id = (SELECT id FROM ${table} WHERE organization_id = $3 AND ${where} ORDER BY id LIMIT 1)`,
        values,
      );
      expect([table, rowCount]).toEqual([table, 1]);
    }
    await connection.query(
      `UPDATE accounting_invoices i SET customer_snapshot = jsonb_build_object('name', $1::text, 'email', $2::text)
       FROM accounting_customers c WHERE c.id = i.customer_id AND c.email = $2 AND c.organization_id = $3`,
      values,
    );
    await connection.query(
      `INSERT INTO signature_parties
         (id, organization_id, project_id, mode, document_id, revision, key, label, turn, kind, required, auth, name, email)
       SELECT gen_random_uuid(), organization_id, project_id, mode, id, revision, 'buyer', 'Buyer', 1, 'external', true, 'link', $1, $2
       FROM documents WHERE organization_id = $3 AND state <> 'draft' ORDER BY id LIMIT 1`,
      values,
    );
    await connection.query('COMMIT');
  } finally {
    connection.release();
  }
  /** Tables, of all that there are, with the address or the name in any text. */
  const searched = async () => {
    const { rows } = await app.sql.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const text = `SELECT FROM "${name}" t WHERE t::text ILIKE '%' || $1 || '%' OR t::text ILIKE '%' || $2 || '%' LIMIT 1`;
      if ((await app.sql.query(text, [PERSON.name, PERSON.email])).rows.length > 0) found.push(name);
    }
    return found;
  };
  const erase = async (dry_run: boolean) =>
    (await client.post(`${ORG}/person-erasures`, { email: PERSON.email.toUpperCase(), dry_run })).body as PersonReport;
  const before = await searched();
  expect(before).toContain('deleted_rows');
  expect(before).toEqual(expect.arrayContaining(PLACES.map(([table]) => table)));
  const planned = await erase(true);
  expect((await app.sql.query('SELECT FROM contacts WHERE email = $1', [PERSON.email])).rows).toHaveLength(1);
  const report = await erase(false);
  expect(report).toEqual({ ...planned, dry_run: false });
  const erased = report.rows.filter((row) => row.erased > 0).map(({ module, title }) => `${module}: ${title}`);
  for (const what of [
    ...['crm: leads', 'crm: contacts', 'desk: messages', 'desk: tickets', 'desk: requesters', 'schedule: bookings'],
    ...['schedule: invitees', 'hr: employees', 'null: mails', 'null: events, with their deliveries'],
  ])
    expect(erased).toContain(what);
  const { rows: mails } = await app.sql.query(`SELECT recipient FROM mails WHERE subject = 'Dear ' || $1`, [PERSON.name]);
  expect(mails).toEqual([{ recipient: `${PERSON.email}.uk` }]);
  const kept = report.rows.filter((row) => row.kept > 0);
  expect(kept.map(({ title }) => title)).toEqual(
    expect.arrayContaining(['invoices', 'customers', 'orders and carts', 'parties', 'documents']),
  );
  expect(kept.filter(({ why }) => why === null)).toEqual([]);
  // the comment of a colleague is not hers: somebody has to look
  const comments = await app.sql.query('SELECT id FROM task_comments WHERE body LIKE $1', [`Call ${PERSON.name}%`]);
  const unexplained = report.mentions.filter(({ why }) => why === null);
  expect(unexplained).toEqual([{ table: 'task_comments', rows: 1, ids: [comments.rows[0].id], why: null }]);
  expect(await searched()).toEqual(report.mentions.map(({ table }) => table).sort());
  const log = JSON.stringify((await client.get(`${ORG}/audit-entries?limit=5`)).body);
  expect(log).toContain('"object_type":"person"');
  expect(log.toLowerCase()).not.toContain(PERSON.email);
});

test('a closed organization stops, opens again, and is erased with every row after the grace period; others stay', async () => {
  const other = await app.workspace();
  await receiver.subscribe(await other.signIn());
  const client = await signIn(app.url, owner);
  const key = demo.key('Tasks, live, read-only');
  const tasks = async () => (await key.get('/api/v1/ext/tasks/tasks')).status;
  const { name } = (await client.get(`${ORG}/organization`)).body;
  const close = async (organization_name: string, by = client) =>
    (await by.post(`${ORG}/organization/closure`, { organization_name })).body;
  const signInAgain = () => signIn(app.url, owner);

  expect((await close('Another')).error.param).toBe('organization_name');
  expect(
    (
      await close(
        name,
        await signIn(
          app.url,
          members.find(({ role }) => role === 'admin')!,
        ),
      )
    ).error.code,
  ).toBe('permission_denied');
  const { rows: document } = await app.sql.query(
    `UPDATE documents SET legal_hold = 'Lawsuit' WHERE id = (SELECT id FROM documents WHERE organization_id = $1 LIMIT 1) RETURNING id`,
    [organization],
  );
  expect((await close(name)).error).toMatchObject({ code: 'legal_hold', message: expect.stringContaining('1 documents') });
  await app.sql.query('UPDATE documents SET legal_hold = NULL WHERE id = $1', [document[0].id]);

  expect(await tasks()).toBe(200);
  const closed = await close(name);
  expect(Date.parse(closed.erase_at) - Date.parse(closed.closed_at)).toBe(30 * 86_400_000);
  expect([await tasks(), (await client.get(`${ORG}/session`)).status]).toEqual([401, 401]);
  await expect(signInAgain()).rejects.toThrow('invalid_credentials');
  await app.sql.query('UPDATE organizations SET closed_at = NULL, erase_at = NULL WHERE id = $1', [organization]);
  await signInAgain();
  expect(await close(name, await signInAgain())).toMatchObject({ object: 'organization_closure' });

  // the bodies of the calls above are written soon after them
  const before = await eventually(
    () => rowsOf(organization),
    (rows) => 'request_bodies' in rows,
  );
  const ofOther = await rowsOf(other.organizationId);
  const idsBefore = await idsOf(organization);
  // as of a later time, it erases nothing
  await app.runScheduledJob('platform.erase_organizations', new Date(Date.now() + 31 * 86_400_000));
  expect(Object.keys(await rowsOf(organization))).toEqual(Object.keys(before));
  await app.sql.query(
    `UPDATE organizations SET closed_at = closed_at - interval '31 days', erase_at = erase_at - interval '31 days' WHERE id = $1`,
    [organization],
  );
  // an operator opens it again after the job has listed it
  const operator = await app.sql.connect();
  const setClosed = (closed_at: string, erase_at: string) =>
    operator.query(`UPDATE organizations SET closed_at = ${closed_at}, erase_at = ${erase_at} WHERE id = $1`, [organization]);
  try {
    await operator.query('BEGIN');
    await setClosed('NULL', 'NULL');
    const run = app.runScheduledJob('platform.erase_organizations');
    const waiting = `SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'`;
    const { rowCount } = await eventually(
      () => app.sql.query(waiting),
      (found) => found.rowCount !== 0,
    );
    await operator.query('COMMIT');
    await run;
    expect([rowCount, Object.keys(await rowsOf(organization))]).toEqual([1, Object.keys(before)]);
    await setClosed(`now() - interval '31 days'`, `now() - interval '1 day'`);
  } finally {
    operator.release();
  }
  await app.runScheduledJob('platform.erase_organizations');

  const { rows: left } = await app.sql.query('SELECT * FROM organization_erasures');
  expect(left).toMatchObject([{ id: organization, closed_by: { type: 'user' }, erased_at: expect.any(Date) }]);
  expect(Object.keys(left[0].deleted).sort()).toEqual(Object.keys(before).sort());
  expect(await rowsOf(organization)).toEqual({});
  expect(await rowsOf(other.organizationId)).toEqual(ofOther);
  const found = (await idsByTable()).flatMap(([table, all]) => (all.some((id) => idsBefore.has(id)) ? [table] : []));
  expect(found).toEqual(['public.organization_erasures']);
});
