import { html, redirect, type Html } from '../../kit/index.js';
import { MCP_PATH } from '../../platform/config/mcp-address.js';
import type { ApiKeyDto } from '../../platform/keys/api-keys.dto.js';
import { badge } from '../components/badge.js';
import { codeBlock, copyField, emptyState } from '../components/blocks.js';
import { cursorOf, paging } from '../components/lists.js';
import { table, type Column } from '../components/table.js';
import { timeOf } from '../components/times.js';
import { definePage } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';
import { keyNames, memberName, stateBadge, type KeyNames } from './key-texts.js';

export const appsPage = definePage({
  path: '/apps',
  title: 'Connected apps',
  permission: 'org.developer.apikeys.manage',
  operations: ['list_api_keys', 'list_scopes', 'list_org_projects', 'list_org_members'],
  nav: 'Access',
  icon: 'plug',
  hasMode: true,
  notices: { disconnected: 'The app is disconnected: its next call is refused.' },
  async show(visit) {
    const connections = await visit.listOfPage<ApiKeyDto>('/developer/api-keys', {
      mode: visit.mode,
      origin: 'oauth',
      status: ['active', 'inactive'],
      ...cursorOf(visit),
    });
    const { data } = connections;
    const names = await keyNames(visit, data);
    return {
      title: 'Connected apps',
      lead: 'AI assistants and other MCP clients that a member authorized. Each acts for that member, within the scopes that they allowed.',
      body: html`${
        data.length > 0
          ? table({ caption: 'Connected apps', columns: columns(visit, names), rows: data })
          : emptyState({
              heading: `No app is connected to ${visit.mode} data`,
              text: 'Paste the MCP address into an app. It leads you here, where you choose what it may do, and with which data.',
              step: html`<a class="button quiet" href="${visit.here({ mode: visit.mode === 'test' ? null : 'test' })}">Look in ${
                visit.mode === 'test' ? 'live' : 'test'
              } data</a>`,
            })
      }${paging(visit, connections)}
<h2>Connect an app</h2>${connect(`${visit.site.baseUrl}${MCP_PATH}`)}`,
    };
  },
  actions: {
    disconnect: {
      operations: ['revoke_api_key'],
      refusal: 'The app is still connected',
      async run(visit, values) {
        await visit.post(`/developer/api-keys/${encodeURIComponent(values.text('form'))}/revoke`);
        return redirect(visit.here({ done: 'disconnected' }));
      },
    },
  },
});

/** The steps of each client; the guide of MCP clients says more. */
function connect(address: string): Html {
  const json = (value: object) => ({ code: JSON.stringify(value, null, 2) });
  const clients: readonly [name: string, steps: readonly (string | { code: string })[]][] = [
    ['Claude', ['Open the settings and choose Connectors.', 'Choose Add custom connector and enter the address above.', APPROVE]],
    [
      'Claude Code',
      [
        'Run this in a terminal:',
        { code: `claude mcp add --transport http work-suite ${address}` },
        'Start Claude Code, enter /mcp and sign in.',
        APPROVE,
      ],
    ],
    [
      'ChatGPT',
      [
        'Open the settings and choose Apps & Connectors.',
        'Turn on the developer mode under Advanced.',
        'Create a connector with the address above and OAuth.',
        APPROVE,
      ],
    ],
    [
      'Cursor',
      [
        'Write this to .cursor/mcp.json:',
        json({ mcpServers: { 'work-suite': { url: address } } }),
        'Choose Connect in the settings of MCP.',
        APPROVE,
      ],
    ],
    [
      'VS Code',
      [
        'Write this to .vscode/mcp.json:',
        json({ servers: { 'work-suite': { type: 'http', url: address } } }),
        'Choose Start above the entry.',
        APPROVE,
      ],
    ],
    [
      'Codex',
      [
        'Write this to ~/.codex/config.toml:',
        { code: `[mcp_servers.work-suite]\nurl = "${address}"` },
        'Run this in a terminal:',
        { code: 'codex mcp login work-suite' },
        APPROVE,
      ],
    ],
  ];
  const folds = clients.map(([name, steps]) => html`<details name="client"><summary>${name}</summary>${stepsOf(name, steps)}</details>`);
  return html`<div class="narrow">${copyField({
    id: 'mcp',
    label: 'MCP address',
    value: address,
    hint: 'Apps that support MCP with OAuth need nothing else. An app that runs elsewhere needs an address with https.',
  })}<div class="folds">${folds}</div></div>`;
}

const APPROVE = 'The browser opens. Sign in, choose what the app may do, and authorize it.';

/** Code belongs to the step before it. */
function stepsOf(name: string, steps: readonly (string | { code: string })[]): Html {
  const id = name.toLowerCase().replace(' ', '-');
  const items = steps.flatMap((step, index) => {
    if (typeof step !== 'string') return [];
    const next = steps[index + 1];
    const code = typeof next === 'object' && codeBlock(next.code, { id: `${id}-${index}`, label: `${step} ${name}` });
    return [html`<li>${step}${code}</li>`];
  });
  return html`<ol>${items}</ol>`;
}

function columns(visit: Visit, names: KeyNames): Column<ApiKeyDto>[] {
  return [
    { label: 'App', cell: ({ id, name }) => html`<a href="${visit.link(`/keys/${id}`)}">${name}</a>` },
    { label: 'Returns to', cell: ({ oauth_client }) => oauth_client && client(oauth_client) },
    { label: 'Scopes', isNumber: true, cell: ({ scopes }) => scopes.length },
    { label: 'Authorized by', cell: ({ created_by }) => memberName(names, created_by) },
    { label: 'Status', isState: true, cell: (key) => stateBadge(key) },
    { label: 'Last used', cell: ({ last_used_at }) => timeOf(last_used_at) },
    {
      label: 'Action',
      cell: ({ id, name }) =>
        visit.form('disconnect', { id }).render({ submit: { label: 'Disconnect', tone: 'grave', confirm: `Disconnect ${name} now?` } }),
    },
  ];
}

function client({ redirect_host, verified }: NonNullable<ApiKeyDto['oauth_client']>): Html {
  return html`${redirect_host}<br>${verified ? badge('Verified', 'good') : badge('Unverified', 'warn')}`;
}
