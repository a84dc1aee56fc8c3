import { Client as Connection, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, type ApiResponse } from '../../../test/harness/client.js';
import { onServer } from '../../../test/harness/database-server.js';
import { eventually } from '../../../test/harness/eventually.js';
import { startApp } from '../../../test/harness/hosted-app.js';
import { createTestDatabase } from '../../../test/harness/test-database.js';
import type { TestApp } from '../../../test/harness/test-app.js';

const TASKS = '/api/v1/ext/tasks/tasks';
/** A role that is no superuser, because limits of connections do not apply to those. */
const ROLE = 'outage_role';

async function limitedDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const database = await createTestDatabase();
  await onServer(database.url, `DROP ROLE IF EXISTS ${ROLE}`).catch(() => undefined);
  await onServer(database.url, `CREATE ROLE ${ROLE} LOGIN PASSWORD '${ROLE}'`).catch(() => undefined);
  const owner = new Connection({ connectionString: database.url });
  await owner.connect();
  await owner.query(`GRANT ALL ON SCHEMA public TO ${ROLE}; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${ROLE};
                     GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${ROLE}`);
  await owner.end();
  const url = new URL(database.url);
  [url.username, url.password] = [ROLE, ROLE];
  return { url: url.href, drop: () => database.drop().then(() => onServer(database.url, `DROP ROLE ${ROLE}`)) };
}

describe('an outage of the database that an operator ends', () => {
  let app: TestApp;
  let sql: Pool;
  let database: Awaited<ReturnType<typeof limitedDatabase>>;
  let write: () => Promise<ApiResponse>;
  let member: Client;
  let callTool: () => Promise<ApiResponse>;
  const probe = () => new Client(app.url).get('/health/ready');
  const name = () => new URL(app.databaseUrl).pathname.slice(1);
  const endSessions = () => sql.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1`, [ROLE]);

  beforeAll(async () => {
    database = await limitedDatabase();
    app = await startApp({ databaseUrl: database.url, env: { RATE_LIMIT_PER_KEY: '1000' } });
    const superuser = new URL(database.url);
    const server = new URL(process.env.TEST_SERVER_URL as string);
    [superuser.username, superuser.password] = [server.username, server.password];
    sql = new Pool({ connectionString: superuser.href, max: 1 });
    sql.on('error', () => undefined);
    const space = await app.workspace();
    const { client } = await space.key();
    member = await space.signIn();
    let count = 0;
    write = () => client.post(TASKS, { project_id: space.eng.id, title: `Task ${++count}` });
    callTool = () =>
      client.post(
        '/api/v1/ext/mcp',
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'create_task', arguments: { project_id: space.eng.id, title: 'Task' } },
        },
        { accept: 'application/json, text/event-stream' },
      );
    expect((await write()).status).toBe(201);
  });
  afterAll(async () => {
    await app.close();
    await sql.end();
    await database.drop();
  });

  async function expectOutage(): Promise<void> {
    const refused = await write();
    expect([refused.status, refused.body.error.code, Number(refused.headers['retry-after'])]).toEqual([503, 'unavailable', 5]);
    expect(refused.text).not.toMatch(/No space|read-only|connection slots|SQL/i);
    const tool = await callTool();
    expect([tool.text, Number(tool.headers['retry-after'])]).toEqual([expect.stringContaining('unavailable'), 5]);
    const ready = await probe();
    expect([ready.status, ready.body.error.code, Number(ready.headers['retry-after'])]).toEqual([503, 'unavailable', 5]);
    expect((await new Client(app.url).get('/health/live')).status).toBe(200);
  }

  async function expectRecovery(): Promise<void> {
    await eventually(probe, ({ status }) => status === 200);
    expect((await eventually(write, ({ status }) => status === 201)).status).toBe(201);
    expect((await callTool()).text).not.toContain('unavailable');
  }

  test.each([
    ['full disk', '53100', 'could not extend file "base/16384/2619": No space left on device'],
    ['lack of memory', '53200', 'out of memory'],
  ])('such as a %s is a 503, also of tools and pages, until it ends', async (_, code, message) => {
    await sql.query(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION '${message}' USING ERRCODE = '${code}'; END $$`);
    await sql.query('CREATE TRIGGER refuse BEFORE INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION refuse()');
    await sql.query('CREATE TRIGGER refuse BEFORE INSERT ON sign_in_failures FOR EACH ROW EXECUTE FUNCTION refuse()');
    await expectOutage();
    // reads work meanwhile
    expect((await member.get('/api/v1/org/session')).status).toBe(200);
    const signIn = await new Client(app.url).post('/api/v1/org/session', { email: 'a@example.com', password: 'some password' });
    expect([signIn.status, Number(signIn.headers['retry-after'])]).toEqual([503, 5]);
    await sql.query('DROP TRIGGER refuse ON tasks; DROP TRIGGER refuse ON sign_in_failures');
    await expectRecovery();
  });

  test('such as a database that is read-only, and no session stays so', async () => {
    await sql.query(`ALTER DATABASE ${name()} SET default_transaction_read_only = on`);
    await endSessions();
    await eventually(write, ({ status, body }) => status === 503 && body.error.code === 'unavailable');
    await expectOutage();
    await sql.query('SET default_transaction_read_only = off');
    await sql.query(`ALTER DATABASE ${name()} RESET default_transaction_read_only`);
    await expectRecovery();
  });

  test('such as no connection that is left, for pages in their own form', async () => {
    await sql.query(`ALTER ROLE ${ROLE} CONNECTION LIMIT 0`);
    await endSessions();
    await expectOutage();
    const page = await fetch(`${app.url}/b/somewhere`, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('retry-after'), page.headers.get('content-type')]).toEqual([
      503,
      '5',
      expect.stringMatching('html'),
    ]);
    await sql.query(`ALTER ROLE ${ROLE} CONNECTION LIMIT -1`);
    await expectRecovery();
  });
});
