import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Pool } from 'pg';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { BaseUrl } from '../../src/platform/config/base-url.js';
import { DocumentCache } from '../../src/platform/openapi/document-cache.js';
import { ScheduledJobRunner } from '../../src/platform/scheduled-jobs/scheduled-job-runner.js';
import { insideOf, servicesOf } from './inside.js';
import type { TestApp as AnyApp, TestAppOptions } from './test-app.js';
import { noteUndeclaredErrors, requireDeclaredErrors } from './declared-errors.js';
import { noteUndeclaredEvents, requireDeclaredEvents } from './emitted-events.js';
import { requireListIndexes } from './list-indexes.js';
import { forbidSecondConnections } from './second-connections.js';
import { forbidForeignRows } from '../contract/sql-gate/gate.js';
import { oncePerRun } from './once-per-run.js';
import { createTestDatabase } from './test-database.js';
import { createWorkspace } from './workspace.js';

/** An application in the test's process, which gives access to its providers. */
export interface TestApp extends AnyApp {
  app: NestFastifyApplication;
}

/** Rate limits are effectively disabled; tests of limits set them with `env`. */
const ENV = {
  NODE_ENV: 'test',
  RATE_LIMIT_PER_KEY: '1000000',
  RATE_LIMIT_PER_ORGANIZATION: '1000000',
  RATE_LIMIT_AUTH_FAILURES_PER_ADDRESS: '1000000',
  RATE_LIMIT_OAUTH_CLIENTS_PER_ADDRESS: '1000000',
  RATE_LIMIT_OAUTH_TOKENS_PER_ADDRESS: '1000000',
  RATE_LIMIT_PER_MEMBER: '1000000',
  RATE_LIMIT_PER_PUBLIC_ADDRESS: '1000000',
  DATABASE_POOL_SIZE: '5',
};

export async function createTestApp({ modules, env = {}, mcpExtension, databaseUrl }: TestAppOptions = {}): Promise<TestApp> {
  const database = databaseUrl ? { url: databaseUrl, drop: async () => undefined } : await createTestDatabase();
  // of fixtures few tests read the documents; module-boots.ts builds them at the start, as production does
  const documents = modules ? { API_DOCUMENTS: 'on-demand' } : {};
  const config = loadConfig({ ...ENV, ...documents, DATA_DIR: process.env.TEST_DATA_DIR, LOG_LEVEL: 'fatal', ...env });
  const start = async (documentCache?: DocumentCache) =>
    createApp({
      config,
      databaseUrl: database.url,
      modules: modules ?? (await (await import('./module-list.js')).modulesOfRun()),
      mcpExtension,
      documentCache,
    });
  const app = modules ? await start() : await withDocuments(start);
  forbidSecondConnections(app);
  // specs of the platform read the tables of their fixtures as the platform
  await forbidForeignRows(app, modules === undefined);
  // tables of fixtures have few rows
  if (modules === undefined) await requireListIndexes(app);
  noteUndeclaredErrors(app);
  noteUndeclaredEvents(app);
  // a test that computes for seconds would find its connection closed
  app.getHttpServer().keepAliveTimeout = 0;
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  app.get(BaseUrl).value = config.baseUrl ?? url;
  const sql = new Pool({ connectionString: database.url, max: 3 });
  // dropping the database at the end may break a connection that is still closing
  sql.on('error', () => undefined);
  const inside = insideOf(app);
  return {
    app,
    url,
    sql,
    databaseUrl: database.url,
    inside,
    service: servicesOf(app),
    runScheduledJob: (name, now) => app.get(ScheduledJobRunner).run(name, now),
    workspace: () => createWorkspace({ url, inside }),
    close: async () => {
      await app.close();
      await sql.end();
      await database.drop();
      requireDeclaredErrors(app);
      requireDeclaredEvents(app);
    },
  };
}

/** The first application of a run builds the OpenAPI documents, which takes longer than the rest of its start; others wait for them. */
async function withDocuments<A>(start: (cache: DocumentCache) => Promise<A>): Promise<A> {
  const folder = join(process.env.TEST_DATA_DIR as string, 'api-documents');
  const cache = new DocumentCache(folder, 'of this run', Infinity);
  const areBuilt = () => existsSync(folder);
  if (areBuilt()) return start(cache);
  let first: A | undefined;
  const build = async () => {
    first = await start(cache);
  };
  await oncePerRun(folder, areBuilt, build);
  return first ?? start(cache);
}
