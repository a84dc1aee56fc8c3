import { join } from 'node:path';
import { CONSOLE_PATHS } from '../platform/config/console-paths.js';
import { PROJECT_ROOT } from '../platform/config/project-root.js';
import type { AppConfig } from '../platform/config/settings.js';
import type { DemoModule } from './seed-context.js';
import { demoFile, type DemoFacts, type DemoKey } from './demo-file.js';

type Addresses = Pick<DemoFacts, 'base_url' | 'docs_url' | 'mcp_url' | 'webhooks_url'>;

/** The text that `npm start` prints once the suite listens. */
export function announceDemo(
  facts: DemoFacts,
  modules: readonly DemoModule[],
  config: Pick<AppConfig, 'dataDir' | 'databaseUrl'>,
  remarks: readonly string[],
): string {
  const [member] = facts.members;
  const [project] = facts.projects;
  const addresses = modules.flatMap(({ demo }) => demo.addresses ?? []);
  const example = modules.find(({ demo }) => demo.firstCall);
  const call = example?.demo.firstCall;
  const key = example && call && exampleKey(facts.keys, example.name, call.scope);
  return [
    ...remarks.flatMap((remark) => ['', remark]),
    '',
    ...consoleLines(facts, member),
    ...addressLines(facts),
    ...addresses.map(({ name, label }) => `  ${label.padEnd(10)} ${facts[`${name}_url`]}`),
    ...keyLines(facts.keys),
    '',
    ...(call && key && project ? [`${call.text}:`, curlLine(facts.base_url, call.path, call.body(project.id), key), ''] : []),
    ...(key ? ['Connect an MCP client:', clientLine(facts, key), ''] : []),
    config.databaseUrl ? 'Stop the suite (the database at DATABASE_URL keeps its data):' : 'Stop the suite and delete its data:',
    resetLine(config),
    '',
    `The same information and all ${facts.keys.length} API keys are in ${demoFile(config.dataDir)}.`,
  ].join('\n');
}

/** In place of either text, where it has been printed before. */
export function announceInOneLine({ base_url }: Addresses, remarks: readonly string[]): string {
  return [...remarks, `Listening at ${base_url}`].join('\n');
}

/** The text for a development database with organizations that are not the demo's. */
export function announceWithoutDemo(addresses: Addresses): string {
  return ['', ...addressLines(addresses), '', 'This database already has organizations, so no demo workspace was created.'].join('\n');
}

/** The console first, because there people find everything else. */
function consoleLines({ base_url }: Addresses, member: DemoFacts['members'][number] | undefined): string[] {
  const password = member ? [`  E-mail     ${member.email}`, `  Password   ${member.password}`] : [];
  return [`  Console    ${base_url}${CONSOLE_PATHS.signIn}`, ...password, ''];
}

/** One key for each module, with everything it can do to test data. */
function keyLines(keys: readonly DemoKey[]): string[] {
  const full = [...Map.groupBy(keys, ({ module }) => module).values()].map(widest);
  return full.map(({ name, secret }, index) => `  ${index === 0 ? 'Keys' : '    '}       ${secret}  ${name}`);
}

function widest(keys: readonly DemoKey[]): DemoKey {
  const [first, ...rest] = keys.filter(
    ({ mode, project_id, actor_email }) => mode === 'test' && project_id === null && actor_email === null,
  );
  return rest.reduce((best, key) => (key.scopes.length > best.scopes.length ? key : best), first ?? keys[0]);
}

function addressLines({ base_url, docs_url, mcp_url, webhooks_url }: Addresses): string[] {
  return [`  Base URL   ${base_url}`, `  Docs       ${docs_url}`, `  MCP        ${mcp_url}`, `  Webhooks   ${webhooks_url}`];
}

/** A test key with the scope for every project; calls with it do not affect live data. */
function exampleKey(keys: readonly DemoKey[], name: string, scope: string): DemoKey | undefined {
  return keys.find(
    ({ module, mode, scopes, project_id }) => module === name && mode === 'test' && scopes.includes(scope) && project_id === null,
  );
}

function curlLine(baseUrl: string, path: string, body: object, { secret }: DemoKey): string {
  const headers = `-H 'Authorization: Bearer ${secret}' -H 'Content-Type: application/json'`;
  return `curl -sS ${baseUrl}${path} ${headers} -d '${JSON.stringify(body)}'`;
}

function clientLine({ mcp_url }: Addresses, { secret }: DemoKey): string {
  return JSON.stringify({ mcpServers: { 'work-suite': { type: 'http', url: mcp_url, headers: { Authorization: `Bearer ${secret}` } } } });
}

function resetLine({ dataDir }: Pick<AppConfig, 'dataDir'>): string {
  const command = 'npm run demo:reset';
  return dataDir === join(PROJECT_ROOT, '.data') ? command : `DATA_DIR='${dataDir}' ${command}`;
}
