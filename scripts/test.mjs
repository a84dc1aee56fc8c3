// npm test: installs if needed, then runs jest, and beside it the checks of scripts/checks.mjs. With arguments, which are jest's,
// only jest runs.
import { join } from 'node:path';
import { CHECKS, report, startChecks } from './checks.mjs';
import { runInForeground, compile, fail, install, pinnedNode, ROOT } from './prepare.mjs';

const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
// Tests run the product's code a few times only, and most of what they allocate is garbage soon: with V8's default, a seventh of their CPU
// time is garbage collection. The processes that jest starts inherit it.
const HEAP = '--max-semi-space-size=64';

function jest(...args) {
  return runInForeground(pinnedNode(), [HEAP, JEST, ...args], { env: { ...process.env, NODE_ENV: 'test' } });
}

async function everything() {
  await compile();
  const interrupted = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => interrupted.abort());
  const checks = startChecks(CHECKS, interrupted.signal);
  const code = await jest();
  if (interrupted.signal.aborted) return code;
  checks.hurry();
  const failures = await checks.failures();
  report(CHECKS, failures);
  return failures.length > 0 ? 1 : code;
}

try {
  await install();
  const args = process.argv.slice(2);
  process.exit(args.length > 0 ? await jest(...args) : await everything());
} catch (error) {
  fail(error);
}
