// Runs both MCP conformance suites: every scenario at every protocol revision that it applies to.
//   node --import ./test/harness/compiled.mjs test/mcp/conformance.mjs [--only <text>] [--verbose]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { authorizationScenarios } from './conformance-authorization.ts';
import { authorizingProxy, run, target } from './runner.mjs';

const SUITES = [
  { name: '0.1', script: '@modelcontextprotocol/conformance/dist/index.js', revisions: ['2025-11-25'] },
  { name: '0.2', script: '@modelcontextprotocol/conformance-next/dist/index.js', revisions: ['2025-06-18', '2025-11-25', '2026-07-28'] },
];

const NO_SESSION = 'the suite skips it for servers without sessions';
/** Skipped scenarios with the reason, by scenario, scenario@revision, or prefix of the name. */
const SKIPPED = new Map([
  ['server-sse-polling', 'needs a session with an event store: the server closes a stream and replays it on a GET (SEP-1699)'],
  ['server-session-lifecycle', NO_SESSION],
  ['server-sse-multiple-streams@2025-11-25', NO_SESSION],
  ['tasks-', 'the tasks extension (SEP-2663) is not offered: no tool runs longer than its request'],
  ['sep-2640-', 'the skills extension (SEP-2640) is not offered'],
]);

const { values: options } = parseArgs({ options: { only: { type: 'string' }, verbose: { type: 'boolean' } } });

async function casesOf({ script, revisions }) {
  const { stdout } = await run(script, ['list', '--server']);
  const [listing] = stdout.split(/^Client scenarios/m);
  return [...listing.matchAll(/^\s+- (\S+) \[([^\]]*)\]/gm)].flatMap(([, scenario, applicable]) => {
    const served = revisions.filter((revision) => applicable.split(',').includes(revision));
    return served.length > 0 ? served.map((revision) => ({ scenario, revision })) : [{ scenario, revision: applicable }];
  });
}

const server = await target({ conformanceFixtures: true });
const proxy = await authorizingProxy(server);
const results = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
let failed = 0;
try {
  for (const suite of SUITES) {
    const tally = { passed: 0, failed: 0, skipped: 0 };
    for (const { scenario, revision } of await casesOf(suite)) {
      const name = `${scenario}@${revision}`;
      if (!name.includes(options.only ?? '')) continue;
      const reason = [...SKIPPED].find(([prefix]) => name.startsWith(prefix))?.[1];
      if (reason !== undefined) {
        tally.skipped += 1;
        console.log(`${suite.name}  skip      ${name}: ${reason}`);
        continue;
      }
      const args = ['server', '--url', proxy.url, '--scenario', scenario, '--spec-version', revision, '--output-dir', results];
      const { code, stdout, stderr } = await run(suite.script, args);
      const [, passes, checks, failures, warnings] = /Passed: (\d+)\/(\d+), (\d+) failed, (\d+) warnings/.exec(stdout) ?? [];
      // a scenario without checks has not passed, and a warning is an unmet SHOULD
      const passed = code === 0 && Number(checks) > 0 && passes === checks && failures === '0' && warnings === '0';
      tally[passed ? 'passed' : 'failed'] += 1;
      console.log(`${suite.name}  ${passed ? 'pass' : 'FAIL'}      ${name}: ${passes ?? 0}/${checks ?? 0} checks`);
      if (!passed || options.verbose) console.log(`${stdout}\n${stderr}`);
    }
    failed += tally.failed;
    console.log(`${suite.name}  ${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped\n`);
  }
  if (server.ownerEmail !== undefined && 'authorization'.includes(options.only ?? '')) {
    const { code, output } = await authorizationScenarios(server);
    console.log(`0.2  ${code === 0 ? 'pass' : 'FAIL'}      the scenarios for authorization servers`);
    if (code !== 0 || options.verbose) console.log(output);
    if (code !== 0) failed += 1;
  }
} finally {
  await proxy.stop();
  await server.stop();
  await rm(results, { recursive: true });
}
process.exit(failed === 0 ? 0 : 1);
