import { afterAll, expect, test } from '@jest/globals';
import { Client } from '../../../test/harness/client.js';
import { eventually } from '../../../test/harness/eventually.js';
import { ownApp } from '../../../test/harness/hosted-app.js';
import { Receiver } from '../../../test/harness/receiver.js';
import { PASSWORD } from '../../../test/harness/workspace.js';
import { partitionsOf } from '../persistence/partitions/partitions.js';
import { INSTALLATION } from './installation-log.js';
import { verifyChains } from './audit-chains.js';

const ORG = '/api/v1/org';
const LOG = `${ORG}/audit-entries`;

const app = await ownApp({ env: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
const workspace = await app.workspace();
const owner = await workspace.signIn();
const receiver = await Receiver.start();
afterAll(() => receiver.stop());

interface Entry {
  id: string;
  action: string;
  object_type: string;
  object_id: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  actor_type: string;
  actor_id: string | null;
  operation: string | null;
  address: string | null;
  request_id: string | null;
}

const entries = async (query = ''): Promise<Entry[]> => (await owner.get(`${LOG}?limit=100&sort=created_at${query}`)).body.data;
const verified = async (keepDays = 400) => (await verifyChains(app.sql, workspace.organizationId, keepDays))[0];

test('each kind of change is an entry, with who, from where and what, without secrets', async () => {
  const all = await receiver.subscribe(owner);
  const siem = await receiver.subscribe(owner, { events: ['audit.recorded'] });
  const made = async (path: string, body: object) => {
    const { status, body: created, text } = await owner.post(`${ORG}${path}`, body);
    expect([path, status, status < 300 ? '' : text]).toEqual([path, expect.any(Number), '']);
    return created as { id: string; secret?: string };
  };
  const role = await made('/roles', { name: 'Auditor', permissions: ['org.audit.view'] });
  const member = await made('/members', { email: 'mia@example.com', name: 'Mia', role: 'Auditor', password: PASSWORD });
  const key = await made('/developer/api-keys', { module: 'tasks', name: 'Import', mode: 'test', scopes: ['tasks:task:read'] });
  await owner.post(`${ORG}/developer/api-keys/${key.id}/revoke`);
  await owner.patch(`${ORG}/roles/${role.id}`, { description: 'Reads the log' });
  const { body: organization } = await owner.get(`${ORG}/organization`);
  await owner.patch(`${ORG}/organization`, { name: 'Renamed' });
  const project = await made('/projects', { key: 'AUD', name: 'Audit' });
  const mia = await workspace.signIn('mia@example.com');
  expect((await mia.get(LOG)).status).toBe(200);
  await mia.delete(`${ORG}/session`);
  await owner.delete(`${ORG}/developer/webhook-endpoints/${all.id}`);
  const { text: csv } = await owner.get(`${LOG}/export?object_id=${role.id}`);
  expect(csv).toMatch(/^sequence,created_at,.*\r\n[^]*update_role/);

  const found = await entries();
  const of = (object_id: string) =>
    found.filter((entry) => entry.object_id === object_id).map(({ action, operation }) => `${action} ${operation}`);
  expect(of(all.id)).toEqual(['created create_webhook_endpoint', 'deleted delete_webhook_endpoint']);
  expect(of(role.id)).toEqual(['created create_role', 'updated update_role']);
  expect(of(member.id)).toEqual(['created create_org_member']);
  expect(of(key.id)).toEqual(['created create_api_key', 'updated revoke_api_key']);
  expect(of(project.id)).toEqual(['created create_org_project']);
  const byMia = found.filter(({ actor_id }) => actor_id === member.id).map(({ action, object_type }) => `${object_type} ${action}`);
  expect(byMia).toEqual(['session signed_in', 'session signed_out']);
  expect(found.filter(({ action }) => action === 'exported')).toMatchObject([{ object_type: 'audit_log', after: { entries: 2 } }]);
  const renamed = found.find(({ operation }) => operation === 'update_organization')!;
  expect(renamed).toMatchObject({
    before: { name: organization.name },
    after: { name: 'Renamed' },
    actor_type: 'user',
    actor_id: workspace.owner.id,
    address: '127.0.0.1',
    request_id: expect.stringMatching(/^req_/),
  });
  const text = JSON.stringify(found);
  for (const secret of [PASSWORD, key.secret!, siem.secret, '$argon2', 'svc_whsec_']) expect(text).not.toContain(secret);

  // only to the endpoint that names the event
  const sent = await eventually(
    async () => siem.got(),
    (got) => got.some(({ event }) => (event.data.object as { operation: string }).operation === 'create_org_project'),
  );
  expect(new Set(sent.map(({ event }) => event.type))).toEqual(new Set(['audit.recorded']));
  expect(all.got().filter(({ event }) => event.type === 'audit.recorded')).toEqual([]);
  const developer = await workspace.signIn((await workspace.member('developer')).email);
  const refused = await developer.post(`${ORG}/developer/webhook-endpoints`, { url: receiver.url('/x'), events: ['audit.*'] });
  expect([refused.status, refused.body.error.required_permission]).toEqual([403, 'org.audit.view']);
  expect((await developer.get(LOG)).status).toBe(403);
});

test('a member who signs in several times at once gets a session each time, and an entry', async () => {
  const { email, id } = await workspace.member('member');
  await Promise.all(Array.from({ length: 8 }, () => workspace.signIn(email)));
  expect((await entries(`&actor_id=${id}`)).map(({ action }) => action)).toEqual(Array(8).fill('signed_in'));
});

test('a failed sign-in is an entry, but not each one, and not that of an unknown address', async () => {
  const { email, id } = await workspace.member('member');
  const attempt = (address: string) => new Client(app.url).post('/api/v1/org/session', { email: address, password: 'not the password' });
  for (const address of [email, email, 'nobody@example.com', email]) expect((await attempt(address)).status).toBe(401);
  const failed = await eventually(
    () => entries('&action=sign_in_failed'),
    ({ length }) => length > 0,
  );
  expect(failed).toMatchObject([{ object_id: id, actor_type: 'guest', actor_id: null, after: { failures: 1 }, address: '127.0.0.1' }]);
});

test('migrations are entries of the installation, from that of the log on', async () => {
  const { rows: applied } = await app.sql.query<{ name: string }>(
    'SELECT name FROM migrations WHERE timestamp >= 1798853000010 ORDER BY id',
  );
  const { rows: noted } = await app.sql.query<{ object_id: string }>(
    `SELECT object_id FROM audit_entries WHERE organization_id = $1 AND object_type = 'migration' ORDER BY sequence`,
    [INSTALLATION],
  );
  expect(applied.length).toBeGreaterThan(1);
  expect(noted.map(({ object_id }) => object_id)).toEqual(applied.map(({ name }) => name));
});

test('an entry that is changed, missing or deleted out of turn is found', async () => {
  const { entries: count } = await verified();
  expect(count).toBeGreaterThan(10);
  expect((await verified()).broken_at).toBeNull();
  const stored = (await partitionsOf(app.sql, 'audit_entries')).map(({ name }) => `TRUNCATE ${name}`);
  expect(stored.length).toBeGreaterThan(1);
  for (const statement of ['DELETE FROM audit_entries', `UPDATE audit_entries SET action = 'x'`, 'TRUNCATE audit_entries', ...stored])
    await expect(app.sql.query(statement)).rejects.toThrow('audit_entries is append-only');

  const own = `organization_id = '${workspace.organizationId}'`;
  const tampering = [
    [`UPDATE audit_entries SET before = '{}' WHERE ${own} AND sequence = 3`, '3'],
    [`DELETE FROM audit_entries WHERE ${own} AND sequence = 5`, '5'],
    [`DELETE FROM audit_entries WHERE ${own} AND sequence = 1`, '1'],
    [`DELETE FROM audit_entries WHERE ${own} AND sequence = ${count}`, `${count}`],
    [`WITH entries AS (DELETE FROM audit_entries) DELETE FROM audit_chains`, '1'],
    [`WITH entries AS (DELETE FROM audit_entries) DELETE FROM audit_chains`, '1', INSTALLATION],
  ];
  for (const [statement, at, log = workspace.organizationId] of tampering) {
    const client = await app.sql.connect();
    try {
      await client.query(`BEGIN; SET LOCAL session_replication_role = replica; ${statement}`);
      const [{ broken_at }] = await verifyChains(client as never, log, 400);
      expect([statement, broken_at]).toEqual([statement, at]);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }
});

const DAY_MS = 24 * 60 * 60_000;
const retain = (days: number, from = Date.now()) => app.runScheduledJob('platform.audit_retention', new Date(from + days * DAY_MS));

/** An entry that PostgreSQL wrote while its clock showed another time. */
async function appendAt(time: string): Promise<void> {
  const client = await app.sql.connect();
  try {
    await client.query(`
      BEGIN;
      CREATE SCHEMA wrong;
      CREATE FUNCTION wrong.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$ SELECT '${time}'::timestamptz $$;
      SET LOCAL search_path = wrong, pg_catalog, public;
      SELECT append_audit_entries('${workspace.organizationId}', '{"actor_type":"system"}', '[{"action":"x","object_type":"y"}]', '{}');
      DROP SCHEMA wrong CASCADE;
      COMMIT`);
  } finally {
    client.release();
  }
}

test('retention deletes the oldest entries only, also if the clock was set back', async () => {
  const { entries: count } = await verified();
  await retain(399);
  expect(await verified()).toMatchObject({ entries: count, deleted_sequence: '0', deleted_until: null, shortened: false });
  await expect(retain(401)).rejects.toThrow('goes by the clock');
  // as if the partition of all entries until now ended now
  await app.sql.query(`
    ALTER TABLE audit_entries DETACH PARTITION partitions.audit_entries_before;
    DO $$ BEGIN
      EXECUTE format('ALTER TABLE audit_entries ATTACH PARTITION partitions.audit_entries_before
        FOR VALUES FROM (MINVALUE) TO (%L)', partitions.first_key(clock_timestamp(), 'uuid'));
    END $$`);
  const [{ ended }] = (await app.sql.query<{ ended: Date }>('SELECT clock_timestamp()::timestamptz(3) AS ended')).rows;
  await owner.patch(`${ORG}/organization`, { name: 'Later' });
  // in the partition that has ended
  await appendAt('1970-01-02');
  expect(await verified()).toMatchObject({ entries: count + 2, broken_at: null });
  await retain(0);
  expect(await verified()).toMatchObject({ entries: count + 2, broken_at: null });

  // of a partition that was made ahead
  const made = (await partitionsOf(app.sql, 'audit_entries')).find(({ begins_at }) => begins_at !== null)!;
  await expect(app.sql.query(`TRUNCATE ${made.name}`)).rejects.toThrow('audit_entries is append-only');

  const names = async () => (await partitionsOf(app.sql, 'audit_entries')).map(({ name }) => name);
  await retain(400, ended.getTime());
  // as a run whose clock is ahead, or a hand, would shorten it
  expect(await verified()).toMatchObject({ entries: 2, last_sequence: `${count + 2}`, broken_at: null, shortened: true });
  expect(await verified(0)).toMatchObject({ deleted_sequence: `${count}`, deleted_until: expect.any(Date), shortened: false });
  expect(await names()).toContain('partitions.audit_entries_before');

  // a backup reads the table, and a change of the organization has not ended
  const busy = await app.sql.connect();
  try {
    await busy.query('BEGIN');
    await busy.query('SELECT FROM audit_chains WHERE organization_id = $1 FOR UPDATE', [workspace.organizationId]);
    await retain(400);
    expect((await verified()).entries).toBe(2);
    await busy.query('COMMIT; BEGIN; SELECT FROM audit_entries LIMIT 1');
    await retain(400);
    expect(await verified()).toMatchObject({ entries: 0, last_sequence: `${count + 2}`, broken_at: null });
    expect(await names()).toContain('partitions.audit_entries_before');
  } finally {
    await busy.query('COMMIT');
    busy.release();
  }
  // a vacuum may hold it a little longer
  await eventually(
    async () => {
      await retain(400);
      return names();
    },
    (left) => !left.includes('partitions.audit_entries_before'),
  );
});
