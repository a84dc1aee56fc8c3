import 'reflect-metadata';
import { createServer, type IncomingMessage } from 'node:http';
import { registerHooks } from 'node:module';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { PINGS } from '../../src/platform/persistence/database/pg-notifier.js';
import { CONNECTION_LIMITS } from '../../src/platform/persistence/database/pool.js';
import { BEATS } from '../../src/platform/queue/worker-presence.js';
import { sourceFile } from './source-file.js';
import type { TestApp } from './test-app.js';
import { deserialize, serialize, type Exported, type HostCall, type HostedApp, type HostResult } from './host-protocol.js';

// The process that runs applications for the test files of one jest worker, so that these load no product code. It serves
// all files of the worker; `hosted-app.ts` is its client. A client with the token can run any function of this repository.

const THREADS = pathToFileURL(sourceFile('test/harness/shared-threads.ts')).href;
// the product imports it when it first needs a thread
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'piscina' && context.parentURL !== THREADS ? THREADS : specifier, context),
});

type AnyFunction = (...args: unknown[]) => unknown;

// the shared application has pauses; a new connection reads the catalog again for each of its statements
CONNECTION_LIMITS.idleTimeoutMillis = 60_000;
// a quarter of what an idle application costs, of which each worker has several; still less than the time after which one counts as ended
BEATS.everyMs = 2_500;
Object.assign(PINGS, { everyMs: 2_500, validMs: 6_000 });

const token = `Bearer ${process.env.TEST_HOST_TOKEN}`;
const apps = new Map<string, TestApp>();
/** By factory and options. */
const shared = new Map<string, Promise<HostedApp>>();
/** The shared application of the present test file. */
let current: TestApp | undefined;
let started = 0;

async function exported({ file, name }: Exported): Promise<AnyFunction> {
  const module = (await import(sourceFile(file))) as Record<string, AnyFunction>;
  if (!module[name]) throw new Error(`${file} does not export ${name}.`);
  return module[name];
}

async function start(factory: Exported, options: object): Promise<HostedApp> {
  const app = (await (await exported(factory))(options)) as TestApp;
  const id = `${++started}`;
  apps.set(id, app);
  return { id, url: app.url, databaseUrl: app.databaseUrl };
}

async function startShared(factory: Exported, options: object): Promise<HostedApp> {
  const key = JSON.stringify([factory, options]);
  let starting = shared.get(key);
  if (!starting) shared.set(key, (starting = start(factory, options)));
  const hosted = await starting;
  current = apps.get(hosted.id)!;
  await restoreGlobals(current);
  return hosted;
}

async function stop(id: string): Promise<void> {
  await apps.get(id)!.close();
  apps.delete(id);
  if (current) await restoreGlobals(current);
}

function restoreGlobals(app: TestApp): Promise<void> {
  return app.inside<typeof import('./people.js')>('test/harness/people.ts').restoreGlobals();
}

async function perform(call: HostCall): Promise<unknown> {
  if (call.kind === 'shared') return startShared(call.factory, call.options);
  if (call.kind === 'start') return start(call.factory, call.options);
  const app = apps.get(call.app);
  if (!app) throw new Error(`There is no application ${call.app} in this process.`);
  switch (call.kind) {
    case 'stop':
      return stop(call.app);
    case 'service':
      return (app.service<Record<string, AnyFunction>>(call.service) as Record<string, AnyFunction>)[call.method](...call.args);
    case 'inside':
      return (app.inside<Record<string, AnyFunction>>(call.file) as Record<string, AnyFunction>)[call.name](...call.args);
  }
}

async function resultOf(request: IncomingMessage): Promise<HostResult> {
  try {
    if (request.headers.authorization !== token) throw new Error('The token is invalid.');
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    return { value: await perform(deserialize<HostCall>(body)) };
  } catch (error) {
    const { name, message, stack } = error as Error;
    return { error: { ...(error as Error), name, message, stack } };
  }
}

const server = createServer((request, response) => {
  void resultOf(request).then((result) => response.end(serialize(result)));
});
// a test that computes for seconds would find its connection closed
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));

// the parent process asks for the end, or has ended
async function end(): Promise<void> {
  await Promise.allSettled([...apps.values()].map((app) => app.close()));
  process.exit();
}
process.on('message', () => void end());
process.on('disconnect', () => void end());
