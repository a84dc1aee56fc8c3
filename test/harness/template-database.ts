import { rmSync } from 'node:fs';
import { Logger } from '@nestjs/common';
import { bringUpToDate } from '../../src/database-schema.js';
import { startEmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres/embedded-postgres.js';
import { loadSuite } from '../../src/suite/load-suite.js';
import { migrationFolders } from '../../src/suite/migration-folders.js';
import { loadModules } from '../../src/suite/suite-modules.js';
import { databaseUrl, makeSocketFolder, onServer, throughSocket } from './database-server.js';
import { demoTemplate } from './test-database.js';

export const TEMPLATE = `work_suite_template_${process.pid}`;

const SETTINGS = {
  // the data is not needed after the run, so it need not reach the disk
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  // for passwords that are set from now on; a run opens thousands of connections
  scram_iterations: '1',
};

/** Uses the server at `DATABASE_URL`, or starts an embedded one. */
export async function createTemplate(dataDir: string): Promise<{ serverUrl: string; stop(): Promise<void> }> {
  const given = process.env.DATABASE_URL;
  const socket = given ? undefined : makeSocketFolder(dataDir);
  const settings = { ...SETTINGS, ...(socket && { unix_socket_directories: socket }) };
  const embedded = given ? null : await startEmbeddedPostgres(dataDir, { settings });
  const serverUrl = given ?? throughSocket((embedded as NonNullable<typeof embedded>).url, socket);
  if (embedded) await onServer(serverUrl, `ALTER ROLE CURRENT_USER PASSWORD '${new URL(serverUrl).password}'`);
  // a run within another needs only the migrations that its copy of the repository has added
  const base = process.env.TEST_TEMPLATE ?? 'template1';
  await onServer(serverUrl, `CREATE DATABASE ${TEMPLATE} TEMPLATE ${base}`);
  await createSchema(databaseUrl(serverUrl, TEMPLATE));
  process.env.TEST_TEMPLATE = TEMPLATE;
  // a third of the default's CPU time, while nothing is written to a disk
  if (embedded) process.env.TEST_CLONING = 'STRATEGY FILE_COPY';
  return {
    serverUrl,
    stop: async () => {
      for (const name of [TEMPLATE, demoTemplate(TEMPLATE)]) await onServer(serverUrl, `DROP DATABASE IF EXISTS ${name}`);
      await embedded?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates all tables of an empty database, including those of the queue. */
export async function createSchema(url: string): Promise<void> {
  const suite = await loadSuite();
  // all other modules have theirs beside those of the suite or the project
  const packages = { ...suite, modules: suite.modules.filter((module) => typeof module === 'string') };
  const folders = migrationFolders((await loadModules(packages)).migrations);
  Logger.overrideLogger(['fatal', 'error', 'warn']);
  await bringUpToDate({ migrationDatabaseUrl: undefined, migrateAtStart: 'yes', redisUrl: undefined }, url, folders);
}
