// Runs both conformance suites of the Model Context Protocol, scenario by scenario, at every revision they apply to.
//   node --import ./test/mcp/ts-loader.mjs test/mcp/conformance.mjs [--only <text>] [--verbose]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { authorizingProxy, run, target } from './judges.mjs';

const SUITES = [
  { name: '0.1', script: '@modelcontextprotocol/conformance/dist/index.js', revisions: ['2025-11-25'] },
  { name: '0.2', script: '@modelcontextprotocol/conformance-next/dist/index.js', revisions: ['2025-06-18', '2025-11-25', '2026-07-28'] },
];

const LEFT_OUT = new Map([
  ['server-sse-polling', 'needs a session with an event store: the server closes a stream and replays it on a GET (SEP-1699)'],
  ['tasks-', 'the tasks extension (SEP-2663) is not offered: no tool runs longer than its request'],
  ['sep-2640-', 'the skills extension (SEP-2640) is not offered'],
]);

const LEGACY_STREAMS = 'the suite warns that the server gives no session, which a stateless server never does';
/** Warnings that stand for something a stateless server does on purpose; any other warning fails. */
const EXPECTED_WARNINGS = new Map([['server-sse-multiple-streams@2025-11-25', LEGACY_STREAMS]]);

const { values: options } = parseArgs({ options: { only: { type: 'string' }, verbose: { type: 'boolean' } } });

function reasonToLeaveOut(scenario) {
  return [...LEFT_OUT].find(([prefix]) => scenario.startsWith(prefix))?.[1];
}

async function scenariosOf(script) {
  const { stdout } = await run(script, ['list', '--server']);
  const listing = stdout.split(/^Client scenarios/m)[0];
  return [...listing.matchAll(/^\s+- (\S+) \[([^\]]*)\]/gm)].map(([, name, revisions]) => ({ name, revisions: revisions.split(',') }));
}

const server = await target();
const proxy = await authorizingProxy(server);
const results = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
let failed = 0;
try {
  for (const suite of SUITES) {
    const tally = { passed: 0, failed: 0, leftOut: 0 };
    for (const { name, revisions } of await scenariosOf(suite.script)) {
      if (options.only !== undefined && !name.includes(options.only)) continue;
      const reason = reasonToLeaveOut(name);
      if (reason !== undefined) {
        tally.leftOut += 1;
        console.log(`${suite.name}  left out  ${name}: ${reason}`);
        continue;
      }
      for (const revision of suite.revisions.filter((candidate) => revisions.includes(candidate))) {
        const args = ['server', '--url', proxy.url, '--scenario', name, '--spec-version', revision, '--output-dir', results];
        const { code, stdout, stderr } = await run(suite.script, args);
        const counts = /Passed: (\d+)\/(\d+), (\d+) failed, (\d+) warnings/.exec(stdout);
        const warnings = Number(counts?.[4] ?? 0);
        const expected = EXPECTED_WARNINGS.get(`${name}@${revision}`);
        const passed = code === 0 && counts !== null && counts[3] === '0' && (warnings === 0 || expected !== undefined);
        tally[passed ? 'passed' : 'failed'] += 1;
        const note = warnings > 0 ? ` (${warnings} warnings${expected === undefined ? '' : `: ${expected}`})` : '';
        console.log(`${suite.name}  ${passed ? 'pass' : 'FAIL'}      ${name}@${revision}: ${counts?.[1] ?? 0}/${counts?.[2] ?? 0} checks${note}`);
        if (!passed || options.verbose) console.log(`${stdout}\n${stderr}`);
      }
    }
    failed += tally.failed;
    console.log(`${suite.name}  ${tally.passed} passed, ${tally.failed} failed, ${tally.leftOut} scenarios left out\n`);
  }
} finally {
  await proxy.stop();
  await server.stop();
  await rm(results, { recursive: true });
}
process.exit(failed === 0 ? 0 : 1);
