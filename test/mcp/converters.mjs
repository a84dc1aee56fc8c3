// Runs the converters of agent frameworks over the tools of every module: none may be lost, refused, or converted to what a provider
// refuses.
// The frameworks are installed in .data/converters, since they are larger than everything else together.
//   npm run test:converters
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApi } from '../../src/api-documents.ts';
import { MODULES } from '../../src/modules.ts';
import { strictInput } from '../../src/platform/mcp/catalog/listed-input.ts';
import { buildCatalog } from '../../src/platform/mcp/catalog/tool-catalog.ts';

const folder = '.data/converters';
const documents = await describeApi(MODULES);
const { tools } = buildCatalog(JSON.parse(documents.keyed.content().toString()));
const byModule = Object.groupBy(tools, ({ module }) => module);
const listed = tools.map(({ json }) => JSON.parse(json));

mkdirSync(folder, { recursive: true });
cpSync('test/mcp/converters', folder, { recursive: true });
writeFileSync(
  join(folder, 'tools.json'),
  JSON.stringify(Object.fromEntries(Object.entries(byModule).map(([module, own]) => [module, own.map(({ json }) => JSON.parse(json))]))),
);
writeFileSync(join(folder, 'strict.json'), JSON.stringify(listed.map((tool) => ({ ...tool, inputSchema: strictInput(tool.inputSchema) }))));
const run = (command, args) => spawnSync(command, args, { cwd: folder, stdio: 'inherit' }).status ?? 1;
if (run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock']) !== 0) process.exit(1);
process.exit(run(process.execPath, ['convert.mjs']));
