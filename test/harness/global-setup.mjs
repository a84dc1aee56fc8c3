// Builds the product, starts PostgreSQL for this run, creates the migrated template database that is cloned for each application,
// and starts a process per jest worker for the applications that test files do not run themselves.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { compile, COMPILE_CACHE } from '#scripts/prepare.mjs';
import './compiled.mjs';

const LOADER = new URL('./compiled.mjs', import.meta.url).href;
/** In the package the harness is compiled. */
const HOST = ['ts', 'js'].map((type) => join(import.meta.dirname, `app-host.${type}`)).find((file) => existsSync(file));

export default async function globalSetup({ maxWorkers }) {
  await compile();
  const { createTemplate } = await import('./template-database.js');
  const { newFastDataDir } = await import('./data-dir.js');
  const dataDir = newFastDataDir('test');
  const { serverUrl, stop } = await createTemplate(dataDir);
  process.env.TEST_SERVER_URL = serverUrl;
  process.env.TEST_DATA_DIR = dataDir;
  const stopHosts = await startHosts(maxWorkers);
  let stopping;
  globalThis.__stopEverything = () => (stopping ??= stopHosts().then(stop));
  // jest would end at once and leave the server running
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
    process.once(signal, () => void globalThis.__stopEverything().finally(() => process.exit(128 + constants.signals[signal])));
}

async function startHosts(count) {
  const token = randomBytes(16).toString('hex');
  const hosts = Array.from({ length: count }, () =>
    fork(HOST, {
      execArgv: [...process.execArgv, '--import', LOADER, '--enable-source-maps'],
      env: { ...process.env, TEST_HOST_TOKEN: token, NODE_COMPILE_CACHE: COMPILE_CACHE },
    }),
  );
  const urls = await Promise.all(hosts.map(async (host) => (await once(host, 'message'))[0].url));
  process.env.TEST_HOSTS = JSON.stringify({ urls, token });
  return () =>
    Promise.all(
      hosts.map(async (host) => {
        if (host.exitCode !== null || host.signalCode !== null) return;
        const ended = once(host, 'exit');
        host.send('end');
        await ended;
      }),
    );
}
