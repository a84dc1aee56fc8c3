// work-suite test, npm test: installs if needed, then runs jest, and beside it the checks of scripts/checks.mjs; in the project of a team,
// the compiler only. With arguments, which are jest's, only jest runs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compile, fail, IN_REPOSITORY, install, pinnedNode, PROJECT, ROOT, runInForeground, SHORT_WORK, StepFailed } from './prepare.mjs';

const JEST = join(PROJECT, 'node_modules', 'jest', 'bin', 'jest.js');
const CONFIG = join(ROOT, IN_REPOSITORY ? '' : 'dist', 'test', 'harness', 'jest.config.mjs');

export async function run(args) {
  await install();
  if (!existsSync(JEST)) throw new StepFailed('The tests need jest: run "npm install", without --omit=dev.');
  return args.length > 0 ? jest(...args) : everything();
}

function jest(...args) {
  // the processes that jest starts inherit the options
  return runInForeground(pinnedNode(), [...SHORT_WORK, JEST, '--config', CONFIG, ...args], { env: { ...process.env, NODE_ENV: 'test' } });
}

async function everything() {
  await compile();
  // of packages that are there since the installation only
  const { checksOf, report, startChecks } = await import('./checks.mjs');
  const checks = checksOf();
  const interrupted = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => interrupted.abort());
  const started = startChecks(checks, interrupted.signal);
  const code = await jest();
  if (interrupted.signal.aborted) return code;
  started.hurry();
  const failures = await started.failures();
  report(checks, failures);
  return failures.length > 0 ? 1 : code;
}

// npm run test:slow ...: node scripts/test.mjs
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await run(process.argv.slice(2)).then(process.exit, fail);
