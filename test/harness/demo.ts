import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { Client as Connection } from 'pg';
import { demoFile, type DemoFacts } from '../../src/demo/demo-file.js';
import { Client } from './client.js';
import { onServer } from './database-server.js';
import { eventually } from './eventually.js';
import { ownApp, startApp, type HostedOptions } from './hosted-app.js';
import { oncePerRun } from './once-per-run.js';
import type { Inside } from './remote.js';
import type { TestApp } from './test-app.js';
import { createTestDatabase, demoTemplate } from './test-database.js';

/** The demo of an application whose database has no organization yet, and its data folder. */
export class Demo {
  private readonly inside: Inside<typeof import('./start-demo.js')>;

  constructor(
    private readonly app: TestApp,
    readonly folder = mkdtempSync(join(tmpdir(), 'work-suite-demo-')),
  ) {
    this.inside = app.inside('test/harness/start-demo.ts');
  }

  /** Prepares the demo as a start does. Returns what it prints. */
  start(seed?: string): Promise<string> {
    return this.inside.startDemo(this.folder, seed);
  }

  /** Makes the test data again. Returns why it did not. */
  seedAgain(seed: string, options: { erase: boolean }): Promise<string | null> {
    return this.inside.seedAgain(seed, options);
  }

  setBaseUrl(url: string): Promise<void> {
    return this.inside.setBaseUrl(url);
  }

  get file(): string {
    return demoFile(this.folder);
  }

  facts(): DemoFacts {
    return JSON.parse(readFileSync(this.file, 'utf8')) as DemoFacts;
  }

  secret(keyName: string): string {
    const { keys } = this.facts();
    const key = keys.find(({ name }) => name === keyName);
    if (!key) throw new Error(`No key "${keyName}" among ${keys.map(({ name }) => name).join('; ')}`);
    return key.secret;
  }

  key(name: string): Client {
    return new Client(this.app.url, { authorization: `Bearer ${this.secret(name)}` });
  }

  deleteFolder(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** An application of the test file with a copy of the demo, as after a later start, and what that prints. */
export async function startDemoApp(options: HostedOptions = {}): Promise<{ app: TestApp; demo: Demo; printed: string }> {
  const template = demoTemplate(process.env.TEST_TEMPLATE as string);
  const folder = join(process.env.TEST_DATA_DIR as string, 'demo');
  await makeDemoOnce(template, folder);
  const database = await createTestDatabase(template);
  const app = await ownApp({ ...options, databaseUrl: database.url });
  const demo = new Demo(app);
  afterAll(async () => {
    demo.deleteFolder();
    await database.drop();
  });
  copyFileSync(demoFile(folder), demo.file);
  return { app, demo, printed: await demo.start() };
}

/** Several processes may ask for it at once. */
function makeDemoOnce(template: string, folder: string): Promise<void> {
  const isDone = async (server: Connection) =>
    (await server.query('SELECT FROM pg_database WHERE datname = $1', [template])).rowCount === 1;
  return oncePerRun(template, isDone, async () => {
    const { url } = await createTestDatabase();
    const app = await startApp({ databaseUrl: url });
    mkdirSync(folder, { recursive: true });
    await new Demo(app, folder).start();
    // or each copy would do its jobs
    const waiting = async () => (await app.sql.query(`SELECT FROM jobs WHERE status <> 'done' AND due_at < now()`)).rowCount;
    await eventually(waiting, (count) => count === 0);
    await app.close();
    await onServer(process.env.TEST_SERVER_URL as string, `ALTER DATABASE ${new URL(url).pathname.slice(1)} RENAME TO ${template}`);
  });
}
