import { afterAll } from '@jest/globals';
import { Pool } from 'pg';
import type { ScheduledJobRunner } from '../../src/platform/scheduled-jobs/scheduled-job-runner.js';
import { connections } from './client.js';
import { Mailbox } from './mailbox.js';
import { caller } from './remote.js';
import type { TestApp, TestAppOptions } from './test-app.js';
import { deserialize, serialize, type Exported, type HostCall, type HostedApp, type HostResult } from './host-protocol.js';
import { noteJobFailures } from './server-errors.js';
import { createWorkspace } from './workspace.js';

export type HostedOptions = Pick<TestAppOptions, 'env' | 'databaseUrl'>;

let mails: Promise<Mailbox> | undefined;

const PRODUCT: Exported = { file: 'test/harness/app.ts', name: 'createTestApp' };

/**
 * The application with default settings, which all test files of a jest worker share, one after the other: its database contains the
 * data of earlier files. Call it at the top level of a test file. Scheduled jobs of modules handle only rows of the file's workspaces.
 *
 * @example
 * ```ts
 * import { expect, test } from '@jest/globals';
 * import { sharedApp } from 'work-suite/testing';
 *
 * const app = await sharedApp();
 *
 * test('a note that is due is archived', async () => {
 *   const space = await app.workspace();
 *   const { client } = await space.key({ module: 'notes', project_id: space.eng.id });
 *   const { body: note } = await client.post('/api/v1/ext/notes/notes', { title: 'Call Emma' });
 *   await app.runScheduledJob('notes.archive', new Date('2030-01-01'));
 *   expect((await client.get(`/api/v1/ext/notes/notes/${note.id}`)).body.archived).toBe(true);
 * });
 * ```
 */
export async function sharedApp(factory = PRODUCT, options: HostedOptions = {}): Promise<TestApp> {
  const organizations: string[] = [];
  const check = async () => {
    await app.inside<typeof import('./declared-errors.js')>('test/harness/declared-errors.ts').requireDeclaredErrors();
    await app.inside<typeof import('./emitted-events.js')>('test/harness/emitted-events.ts').requireDeclaredEvents();
  };
  const app: TestApp = connect(await ask<HostedApp>({ kind: 'shared', factory, options }), check, organizations);
  afterAll(() => app.close());
  return app;
}

/**
 * A shared application that sends mails, and the mail server, which all files of the worker that use it share as well.
 *
 * @example
 * ```ts
 * import { sharedMailApp } from 'work-suite/testing';
 *
 * const { app, mailbox } = await sharedMailApp();
 *
 * export async function reminderOf(address: string): Promise<string> {
 *   await app.runScheduledJob('notes.remind');
 *   return (await mailbox.newest(address, 'Reminder')).text;
 * }
 * ```
 */
export async function sharedMailApp(): Promise<{ app: TestApp; mailbox: Mailbox }> {
  const mailbox = await (mails ??= Mailbox.start().then((started) => started.unref()));
  return { app: await sharedApp(PRODUCT, { env: mailbox.env }), mailbox };
}

/**
 * A separate application and database for the test file. Call it at the top level of a test file, like `sharedApp`.
 *
 * @example
 * ```ts
 * import { ownApp } from 'work-suite/testing';
 *
 * export const app = await ownApp({ env: { NOTES_PER_PROJECT: '3' } });
 * ```
 */
export async function ownApp(options: HostedOptions = {}, factory?: Exported): Promise<TestApp> {
  const app = await startApp(options, factory);
  afterAll(() => app.close());
  return app;
}

/** The same within a test, which must close it. */
export async function startApp(options: HostedOptions = {}, factory = PRODUCT): Promise<TestApp> {
  const hosted = await ask<HostedApp>({ kind: 'start', factory, options });
  return connect(hosted, () => ask({ kind: 'stop', app: hosted.id }));
}

/** Of shared applications: their connections serve all files of the worker. */
const pools = new Map<string, Pool>();

/** With `organizations`, those of the workspaces are added to it, and requested runs of scheduled jobs are restricted to them. */
function connect({ id, url, databaseUrl }: HostedApp, stop: () => Promise<void>, organizations?: string[]): TestApp {
  const sql = (organizations && pools.get(databaseUrl)) ?? openPool(databaseUrl);
  if (organizations) pools.set(databaseUrl, sql);
  const forget = noteJobFailures(sql, organizations);
  const inside: TestApp['inside'] = (file) => caller((name, args) => ask({ kind: 'inside', app: id, file, name, args }));
  const service: TestApp['service'] = (name) => caller((method, args) => ask({ kind: 'service', app: id, service: name, method, args }));
  return {
    url,
    databaseUrl,
    sql,
    inside,
    service,
    runScheduledJob: (name, now) => service<ScheduledJobRunner>('ScheduledJobRunner').run(name, now, organizations),
    workspace: async () => {
      const workspace = await createWorkspace({ url, inside });
      organizations?.push(workspace.organizationId);
      return workspace;
    },
    close: async () => {
      forget();
      if (!organizations) await sql.end();
      await stop();
    },
  };
}

function openPool(connectionString: string): Pool {
  const sql = new Pool({ connectionString, max: 3, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // some tests cut every connection to a database
  sql.on('error', () => undefined);
  return sql;
}

async function ask<T>(call: HostCall): Promise<T> {
  const { urls, token } = JSON.parse(process.env.TEST_HOSTS as string) as { urls: string[]; token: string };
  const url = urls[(Number(process.env.JEST_WORKER_ID) - 1) % urls.length];
  // not `fetch`, which takes longer than most of the calls
  const { body } = await connections.request({
    origin: url,
    path: '/',
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: serialize(call),
  });
  const result = deserialize<HostResult>(await body.text());
  if (!('error' in result)) return result.value as T;
  throw Object.assign(new Error(result.error.message), result.error);
}
