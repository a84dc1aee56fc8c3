import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import type { Client } from '../harness/client.js';
import { eventFaults } from '../harness/event-document.js';
import { eventually } from '../harness/eventually.js';
import { freePort } from '../harness/free-port.js';
import { startApp } from '../harness/hosted-app.js';
import { Receiver, type Received } from '../harness/receiver.js';
import type { TestApp } from '../harness/test-app.js';
import type { IssuedKey, Workspace } from '../harness/workspace.js';

const MAIN = join(PROJECT_ROOT, 'dist', 'src', 'main.js');

/** Timings that are short enough for tests, in similar proportions as the defaults. */
const TIMINGS = {
  WEBHOOK_TIMEOUT_MS: '2000',
  WEBHOOK_LEASE_MS: '3000',
  WEBHOOK_BACKOFF_MS: '500',
  WEBHOOK_BACKOFF_FACTOR: '2',
  WEBHOOK_BACKOFF_CAP_MS: '3000',
  QUEUE_RECONCILE_MS: '1000',
};

/** A worker in a separate process. With APP_ROLE `api` it serves requests instead. */
export interface Worker {
  url: string;
  pid: number;
  ended: Promise<unknown>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** The API, workers in processes of their own, and a webhook receiver that records what arrives. */
export class FaultHarness {
  owner: Client;
  key: IssuedKey;
  space: Workspace;
  private readonly children: ChildProcess[] = [];
  private readonly dataDir = mkdtempSync(join(tmpdir(), 'work-suite-faults-'));

  private constructor(
    readonly app: TestApp,
    readonly receiver: Receiver,
    private readonly env: Record<string, string>,
  ) {}

  static async start({ env = {}, databaseUrl }: { env?: Record<string, string>; databaseUrl?: string } = {}): Promise<FaultHarness> {
    await promisify(execFile)(process.execPath, [join(PROJECT_ROOT, 'scripts', 'prepare.mjs')], { cwd: PROJECT_ROOT });
    // the same in all processes: CURSOR_SECRET also identifies what an Idempotency-Key repeats
    const secrets = { CURSOR_SECRET: 'c'.repeat(32), ENCRYPTION_KEY: 'only for tests, known to all of us' };
    const shared = { ...TIMINGS, ...secrets, ...env };
    const app = await startApp({ env: { ...shared, APP_ROLE: 'api' }, databaseUrl });
    const harness = new FaultHarness(app, await Receiver.start(), shared);
    harness.space = await app.workspace();
    harness.owner = await harness.space.signIn();
    harness.key = await harness.space.key({ module: 'tasks' });
    return harness;
  }

  /** Without a PORT it tries another one if another program has taken the free one meanwhile. */
  async worker(env: Record<string, string> = {}, attempts = 3): Promise<Worker> {
    const port = Number(env.PORT ?? (await freePort()));
    const child = spawn(process.execPath, ['--enable-source-maps', ...process.execArgv, MAIN], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'test',
        APP_ROLE: 'worker',
        PORT: `${port}`,
        DATABASE_URL: this.app.databaseUrl,
        DATA_DIR: this.dataDir,
        LOG_LEVEL: 'error',
        ...this.env,
        ...env,
      },
    });
    this.children.push(child);
    const ended = once(child, 'exit');
    let errors = '';
    child.stderr?.on('data', (chunk) => (errors += chunk));
    child.on('exit', (code) => code && console.error(`The worker exited unexpectedly with ${code}: ${errors}`));
    const healthy = async () =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    if (!(await eventually(healthy, (ok) => ok || child.exitCode !== null))) {
      if (attempts > 1 && errors.includes('is in use by another program')) return this.worker(env, attempts - 1);
      throw new Error(`The worker did not start: ${errors}`);
    }
    return {
      url: `http://127.0.0.1:${port}`,
      pid: child.pid as number,
      ended,
      kill: async (signal) => {
        child.kill(signal);
        await ended;
      },
    };
  }

  /** Creates a webhook endpoint for task.created at a path of the receiver. */
  async endpoint(path: string, values: object = {}): Promise<string> {
    const response = await this.owner.post('/api/v1/org/developer/webhook-endpoints', {
      url: this.receiver.url(path),
      events: ['task.created'],
      ...values,
    });
    if (response.status !== 201) throw new Error(response.text);
    return response.body.id as string;
  }

  /** Creates tasks, ten at a time. */
  async createTasks(count: number): Promise<void> {
    let left = count;
    const create = async () => {
      while (left-- > 0) {
        const { status, text } = await this.key.client.post('/api/v1/ext/tasks/tasks', {
          project_id: this.space.eng.id,
          title: `Task ${left}`,
        });
        if (status !== 201) throw new Error(text);
      }
    };
    await Promise.all(Array.from({ length: 10 }, create));
  }

  /** Waits until every task.created event since a time has arrived at the path. */
  async arrived(path: string, withinMs: number, since = new Date(0)): Promise<Arrivals> {
    const { rows } = await this.app.sql.query<{ id: string }>(
      `SELECT id FROM outbox_events WHERE organization_id = $1 AND type = 'task.created' AND created_at >= $2`,
      [this.space.organizationId, since],
    );
    const expected = new Set(rows.map(({ id }) => id));
    const read = () => Promise.resolve(arrivalsOf(this.receiver.at(path), expected));
    return eventually(read, ({ missing }) => missing.length === 0, withinMs);
  }

  /** Waits until every delivery is delivered or failed; returns their number by status. */
  settled(): Promise<Record<string, number>> {
    const read = async () => {
      const { rows } = await this.app.sql.query<{ status: string; n: number }>(
        'SELECT status, count(*)::int AS n FROM webhook_deliveries GROUP BY 1',
      );
      return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
    };
    return eventually(read, (counts) => Object.keys(counts).every((status) => status === 'delivered' || status === 'failed'));
  }

  async stop(): Promise<void> {
    // whatever it finds, nothing is left running
    const faults = await eventFaults(this.app.url, this.receiver.received).catch((error: Error) => [error.message]);
    for (const child of this.children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await this.app.close();
    await this.receiver.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
    if (faults.length > 0) throw new Error(`Deliveries do not match the OpenAPI document: ${faults.join('; ')}`);
  }
}

export interface Arrivals {
  missing: string[];
  /** Ids that arrived more than once. */
  repeated: string[];
  /** Whether all deliveries of the same event had identical bodies. */
  sameBodies: boolean;
}

function arrivalsOf(received: readonly Received[], expected: ReadonlySet<string>): Arrivals {
  const bodies = new Map<string, string[]>();
  for (const { eventId, body } of received) bodies.set(eventId, [...(bodies.get(eventId) ?? []), body]);
  return {
    missing: [...expected].filter((id) => !bodies.has(id)),
    repeated: [...bodies].filter(([, all]) => all.length > 1).map(([id]) => id),
    sameBodies: [...bodies.values()].every((all) => new Set(all).size === 1),
  };
}
