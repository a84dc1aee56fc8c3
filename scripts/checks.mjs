// The checks of the source code and of the OpenAPI documents: npm run lint, typecheck and lint:openapi. `npm test` runs them all.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compile, COMPILE_CACHE, fail, IN_REPOSITORY, install, pinnedNode, PROJECT, ROOT, SHORT_WORK } from './prepare.mjs';

const DOCUMENTS = join('dist', 'openapi');
const [KEYED, MEMBERS, PUBLIC] = ['openapi.json', 'openapi.org.json', 'openapi.public.json'].map((name) => join(DOCUMENTS, name));

const TYPES_CHECKED = join('dist', 'types-checked.tsbuildinfo');

/** `command` is a program of node_modules with its arguments; the longest come first. */
export const CHECKS = [
  { title: 'oxfmt', script: 'lint', command: ['oxfmt/bin/oxfmt', '--check', '.'] },
  { title: 'oxlint', script: 'lint', command: ['oxlint/bin/oxlint', '--config', 'oxlint.config.ts', '--format=unix', '.'] },
  {
    title: 'TypeScript',
    script: 'typecheck',
    // a later run checks only what has changed, and what depends on it
    command: ['typescript-native/bin/tsc', '-p', '.', '--singleThreaded', '--incremental', '--tsBuildInfoFile', TYPES_CHECKED],
  },
  // its command writes the reports anew
  { title: 'public API', script: 'api', command: ['../scripts/api-report.mjs', '--check'] },
  { title: 'dependencies', script: 'lint', command: ['../scripts/dependencies.mjs'] },
  {
    title: 'Redocly',
    script: 'lint:openapi',
    command: ['@redocly/cli/bin/cli.js', 'lint', KEYED, MEMBERS, PUBLIC, '--config', 'redocly.yaml'],
    env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  },
  {
    title: 'Spectral',
    script: 'lint:openapi',
    // Redocly checks the document for members, too, which has the same parts and is larger than both others together
    command: ['@stoplight/spectral-cli/dist/index.js', 'lint', KEYED, PUBLIC, '--ruleset', '.spectral.yaml', '--fail-severity', 'hint'],
  },
];

/** Those of this repository; of a project, its compiler's. */
export function checksOf() {
  if (IN_REPOSITORY) return CHECKS;
  return [{ title: 'TypeScript', script: 'typecheck', command: ['typescript/bin/tsc', '-p', '.', '--noEmit'] }];
}

/**
 * Runs checks one after the other, with low priority. `hurry` lets two run at a time; `failures` resolves with the failed checks
 * and their output. `signal` ends them.
 */
export function startChecks(checks, signal) {
  const waiting = [...checks];
  const failures = [];
  let documents;
  const perform = async ({ script, command: [program, ...args], env }) => {
    if (script === 'lint:openapi') {
      documents ??= writeDocuments(signal);
      const { failed, output } = await documents;
      if (failed) return { failed, output };
    }
    return runNode([join(PROJECT, 'node_modules', program), ...args], { env, signal });
  };
  const lane = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const { failed, output } = await perform(check);
      if (failed) failures.push({ ...check, output });
    }
  };
  const lanes = [lane()];
  return {
    hurry: () => lanes.push(lane()),
    failures: async () => {
      await Promise.all(lanes);
      return failures;
    },
  };
}

/** Prints the failed checks' output, then the totals in the form of jest's. */
export function report(checks, failures) {
  for (const { title, script, output } of failures) console.error(`\nFAIL ${title} (npm run ${script})\n\n${output.trimEnd()}`);
  const passed = checks.length - failures.length;
  console.log(`\nChecks:      ${failures.length > 0 ? `${failures.length} failed, ` : ''}${passed} passed, ${checks.length} total`);
}

/** Builds the product, and from its declarations the documents. */
async function writeDocuments(signal) {
  await compile();
  // the tests load the same modules
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE };
  return runNode([join(ROOT, 'scripts', 'openapi-documents.mjs'), DOCUMENTS], { env, signal });
}

function runNode(args, { env, signal }) {
  const child = spawn(pinnedNode(), [...SHORT_WORK, ...args], {
    cwd: PROJECT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ failed: true, output: `${output}\n${error.message}` }));
    child.once('close', (code) => resolve({ failed: code !== 0, output }));
  });
}

async function main(scripts) {
  await install();
  const checks = checksOf().filter(({ script }) => scripts.includes(script));
  const started = startChecks(checks);
  started.hurry();
  const failures = await started.failures();
  report(checks, failures);
  if (failures.length > 0) process.exitCode = 1;
}

// npm run lint, typecheck, lint:openapi
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main(process.argv.slice(2)).catch(fail);
