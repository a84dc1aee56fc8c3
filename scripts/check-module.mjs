// Whether a module is all right: npm run check:module fleet. Runs its part of what `npm test` runs.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKS, report, startChecks } from './checks.mjs';
import { runInForeground, fail, install, pinnedNode, ROOT } from './prepare.mjs';

/** The tests of every module that read what it declares. */
const CONTRACT = ['entities', 'module-names', 'openapi', 'routes', 'sql', 'used-permissions'];

async function main([name, ...more]) {
  const folder = join('src', 'modules', name ?? '');
  if (!name || more.length > 0 || !existsSync(join(ROOT, folder))) {
    console.error('Use: npm run check:module <folder>, one of those in src/modules.');
    return 1;
  }
  await install();
  const migrations = readdirSync(join(ROOT, 'migrations')).filter((file) => new RegExp(`^\\d+-${name}-`).test(file));
  const paths = [folder, ...migrations.map((file) => join('migrations', file))];
  const checks = CHECKS.filter(({ title }) => ['TypeScript', 'oxfmt', 'ESLint', 'dependencies'].includes(title)).map((check) => ({
    ...check,
    command: check.script === 'lint' ? check.command.flatMap((part) => (part === '.' ? paths : part)) : check.command,
  }));
  const failures = await startChecks(checks).failures();
  report(checks, failures);
  const tests = CONTRACT.map((test) => `test/contract/${test}.spec.ts`);
  const code = await runInForeground(pinnedNode(), [join(ROOT, 'scripts', 'test.mjs'), `${folder}/`, ...tests]);
  return failures.length > 0 ? 1 : code;
}

main(process.argv.slice(2)).then(process.exit, fail);
