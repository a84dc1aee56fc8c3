import { join } from 'node:path';
import { PROJECT_ROOT } from '../platform/config/project-root.js';
import type { AppConfig } from '../platform/config/settings.js';
import { demoFile, type DemoFacts, type DemoKey } from './demo-file.js';

type Addresses = Pick<DemoFacts, 'base_url' | 'docs_url' | 'mcp_url' | 'webhooks_url'>;

/** What `npm start` prints once the suite listens. */
export function announceDemo(facts: DemoFacts, config: Pick<AppConfig, 'dataDir' | 'databaseUrl'>, remark: string | null): string {
  const [member] = facts.members;
  const [project] = facts.projects;
  const key = keyFor(facts.keys);
  return [
    ...(remark ? ['', remark] : []),
    '',
    ...addressLines(facts),
    ...(facts.form_url ? [`  Form       ${facts.form_url}`] : []),
    ...(member ? [`  Sign in    ${member.email}  ${member.password}`] : []),
    ...facts.keys.map(({ name, secret }, index) => `  ${index === 0 ? 'Keys' : '    '}       ${secret}  ${name}`),
    '',
    ...(key && project ? ['Create a task:', curlLine(facts, project.id, key), ''] : []),
    ...(key ? ['Connect an MCP client:', clientLine(facts, key), ''] : []),
    config.databaseUrl ? 'Stop (the database of DATABASE_URL keeps its data):' : 'Stop and delete all of this:',
    resetLine(config),
    '',
    `All of this also stands in ${demoFile(config.dataDir)}.`,
  ].join('\n');
}

/** For a development database that holds somebody's own organisations. */
export function announceForeign(addresses: Addresses): string {
  return ['', ...addressLines(addresses), '', 'This database has organisations of its own, so there is no demo workspace.'].join('\n');
}

function addressLines({ base_url, docs_url, mcp_url, webhooks_url }: Addresses): string[] {
  return [`  Base URL   ${base_url}`, `  Docs       ${docs_url}`, `  MCP        ${mcp_url}`, `  Webhooks   ${webhooks_url}`];
}

/** A test key that may write tasks anywhere: nothing it does can be regretted. */
function keyFor(keys: readonly DemoKey[]): DemoKey | undefined {
  return keys.find(
    ({ module, mode, scopes, project_id }) =>
      module === 'tasks' && mode === 'test' && scopes.includes('tasks:task:write') && project_id === null,
  );
}

function curlLine({ base_url }: Addresses, projectId: string, { secret }: DemoKey): string {
  const body = JSON.stringify({ project_id: projectId, title: 'Try the API' });
  return `curl -sS ${base_url}/api/v1/ext/tasks/tasks -H 'Authorization: Bearer ${secret}' -H 'Content-Type: application/json' -d '${body}'`;
}

function clientLine({ mcp_url }: Addresses, { secret }: DemoKey): string {
  return JSON.stringify({ mcpServers: { 'work-suite': { type: 'http', url: mcp_url, headers: { Authorization: `Bearer ${secret}` } } } });
}

function resetLine({ dataDir }: Pick<AppConfig, 'dataDir'>): string {
  const command = 'npm run demo:reset';
  return dataDir === join(PROJECT_ROOT, '.data') ? command : `DATA_DIR='${dataDir}' ${command}`;
}
