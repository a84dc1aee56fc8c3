// Runs the MCP inspector's command line against the server in both protocol eras: a strict tool list, calls, resources.
//   node --import ./test/harness/compiled.mjs test/mcp/inspector.mjs [--verbose]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { run, target } from './runner.mjs';

const { values: options } = parseArgs({ options: { verbose: { type: 'boolean' } } });
const SCRIPT = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';

const server = await target({ conformanceFixtures: false });
// keeps the inspector's files out of the user's home directory
const home = await mkdtemp(join(tmpdir(), 'mcp-inspector-'));
let failed = 0;

async function inspect(era, title, args, accepts = ({ code }) => code === 0) {
  const common = ['--cli', '--transport', 'http', '--server-url', server.url, '--header', `Authorization: Bearer ${server.key}`];
  const outcome = await run(SCRIPT, [...common, '--protocol-era', era, '--format', 'json', '--stored-auth-only', ...args], {
    env: { HOME: home },
  });
  const result = parsed(outcome.stdout);
  const passed = accepts({ ...outcome, result });
  if (!passed) failed += 1;
  console.log(`${era.padEnd(6)}  ${passed ? 'pass' : 'FAIL'}  ${title}`);
  if (!passed || options.verbose) console.log(`exit ${outcome.code}\n${outcome.stdout.slice(0, 2000)}\n${outcome.stderr.slice(0, 2000)}`);
  return result;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const resultOf = (value) => value?.result ?? value;

try {
  for (const era of ['legacy', 'modern']) {
    const listing = resultOf(await inspect(era, 'tools/list --strict', ['--method', 'tools/list', '--strict']));
    const tools = listing?.tools ?? [];
    const lookup = tools.find((tool) => tool.annotations.readOnlyHint && (tool.inputSchema.required ?? []).length === 0);
    await inspect(
      era,
      `tools/call ${lookup?.name}`,
      ['--method', 'tools/call', '--tool-name', String(lookup?.name)],
      ({ code, result }) => code === 0 && resultOf(result)?.isError !== true,
    );
    await inspect(
      era,
      'tools/call with an unknown argument is a tool error',
      ['--method', 'tools/call', '--tool-name', String(lookup?.name), '--tool-args-json', '{"no_such_argument":1}'],
      ({ stdout, stderr }) => /validation_failed/.test(stdout + stderr),
    );
    const resources = resultOf(await inspect(era, 'resources/list', ['--method', 'resources/list']))?.resources ?? [];
    if (resources.length > 0) {
      await inspect(era, `resources/read ${resources[0].uri}`, ['--method', 'resources/read', '--uri', resources[0].uri]);
      const module = resources[0].name;
      await inspect(era, `tools/call get_guide ${module}`, [
        '--method',
        'tools/call',
        '--tool-name',
        'get_guide',
        '--tool-arg',
        `module=${module}`,
      ]);
    }
  }
} finally {
  await server.stop();
  await rm(home, { recursive: true });
}
console.log(failed === 0 ? 'all passed' : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
