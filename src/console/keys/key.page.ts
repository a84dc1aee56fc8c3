import { html, redirect, type Html, type ListBody } from '../../kit/index.js';
import type { ApiKeyDto, ApiKeyWithSecretDto } from '../../platform/keys/api-keys.dto.js';
import type { AnalyticsDto } from '../../platform/request-log/analytics.dto.js';
import type { RequestLogDto } from '../../platform/request-log/request-logs.dto.js';
import { modeBadge, statusBadge } from '../components/badge.js';
import { codeBlock, definitions, figures } from '../components/blocks.js';
import { tabOf, tabs } from '../components/lists.js';
import { count, duration, percent } from '../components/numbers.js';
import { table } from '../components/table.js';
import { timeOf } from '../components/times.js';
import { requireTyped, typedConfirmation } from '../components/typed-confirmation.js';
import { definePage, type View } from '../frame/page-definition.js';
import { tabParameter } from '../frame/parameters.js';
import type { Visit } from '../frame/visit.js';
import { askingField, dayOf, restrictionFields, restrictionsOf } from './key-fields.js';
import {
  exampleCall,
  isSuspended,
  keyNames,
  memberName,
  projectName,
  scopeChoices,
  scopeTexts,
  stateBadge,
  type KeyNames,
} from './key-texts.js';
import { keySecretView } from './new-key.page.js';

const WEEK_MS = 7 * 24 * 60 * 60_000;
const TABS = [
  { key: 'overview', label: 'Overview' },
  { key: 'settings', label: 'Settings' },
];

export const keyPage = definePage({
  path: '/keys/:id',
  title: 'API key',
  permission: 'org.developer.apikeys.manage',
  operations: ['get_api_key', 'list_scopes', 'list_org_projects', 'list_org_members'],
  parameters: tabParameter(TABS),
  notices: {
    changed: 'The key is changed. The next call with it follows the change.',
    on: 'The key is switched on again.',
    off: 'The key is switched off: calls with it are refused until it is switched on.',
    revoked: 'The key is revoked: no call with it is accepted anymore.',
  },
  async show(visit) {
    const key = await visit.get<ApiKeyDto>(pathOf(visit));
    const names = await keyNames(visit, [key]);
    const isFinal = key.status === 'revoked';
    const isSettings = !isFinal && tabOf(visit, TABS) === 'settings';
    return {
      title: key.name,
      above: [aboveOf(key)],
      mode: key.mode,
      lead: html`${modeBadge(key.mode)} ${stateBadge(key)}`,
      body: html`${!isFinal && tabs(visit, TABS)}${isSettings ? settings(visit, key, names) : await overview(visit, key, names)}`,
    } satisfies View;
  },
  actions: {
    change: {
      operations: ['update_api_key'],
      refusal: 'The key was not changed',
      async run(visit, values) {
        const { expires_at, ...restrictions } = restrictionsOf(values);
        // a key that was created elsewhere need not expire at the end of a day
        const keepsEnd = values.text('expires_at') === values.text('former_day');
        const change = {
          name: values.text('name'),
          scopes: values.all('scopes'),
          requires_plan: values.has('requires_plan'),
          ...restrictions,
          ...(keepsEnd ? {} : { expires_at }),
        };
        await visit.patch(pathOf(visit), change, Number(values.text('version')));
        return redirect(visit.here({ tab: null, done: 'changed' }));
      },
    },
    switch: {
      operations: ['update_api_key'],
      refusal: 'The key was not switched',
      async run(visit, values) {
        const status = values.text('status');
        await visit.patch(pathOf(visit), { status }, Number(values.text('version')));
        return redirect(visit.here({ tab: null, done: status === 'active' ? 'on' : 'off' }));
      },
    },
    roll: {
      operations: ['roll_api_key'],
      refusal: 'The key was not rolled',
      async run(visit, values) {
        const key = await visit.post<ApiKeyWithSecretDto>(`${pathOf(visit)}/roll`, { overlap_hours: values.number('overlap_hours') });
        return keySecretView(visit, key, 'The key has a new secret');
      },
    },
    revoke: {
      operations: ['revoke_api_key'],
      refusal: 'The key was not revoked',
      async run(visit, values) {
        const { name } = await visit.get<ApiKeyDto>(pathOf(visit));
        requireTyped(values, name);
        await visit.post(`${pathOf(visit)}/revoke`);
        return redirect(visit.here({ tab: null, done: 'revoked' }));
      },
    },
  },
});

function aboveOf({ origin, mode }: ApiKeyDto): { path: string; label: string } {
  const [path, label] = origin === 'oauth' ? ['/apps', 'Connected apps'] : ['/keys', 'API keys'];
  return { path: mode === 'test' ? `${path}?mode=test` : path, label };
}

function pathOf(visit: Visit): string {
  return `/developer/api-keys/${visit.param('id')}`;
}

async function overview(visit: Visit, key: ApiKeyDto, names: KeyNames): Promise<Html> {
  const { id } = key;
  const seesLogs = visit.can('org.developer.logs.view');
  const from = new Date(Date.now() - WEEK_MS).toISOString();
  const [week, errors] = await Promise.all([
    seesLogs ? visit.get<AnalyticsDto>('/developer/analytics', { api_key_id: id, from, interval: 'day' }) : null,
    seesLogs ? visit.list<RequestLogDto>('/developer/logs', { api_key_id: id, status_class: ['4xx', '5xx'], limit: 5 }) : null,
  ]);
  const call = key.status === 'active' && key.origin !== 'oauth' ? exampleCall(visit.site, key.scopes) : null;
  const scopes = scopeTexts(key.scopes, names).map(({ name, text }) => html`<li>${text} <code class="soft">${name}</code></li>`);
  return html`${week && weekFigures(visit, key, week)}
<h2>What it may do</h2><ul>${scopes}</ul>
<h2>Properties</h2>${properties(key, names)}
${errors && lastErrors(visit, key, errors)}
${call !== null && html`<h2>Call it</h2>${codeBlock(call, { id: 'call', label: 'Example call' })}`}`;
}

function weekFigures(visit: Visit, { id, mode }: ApiKeyDto, { totals }: AnalyticsDto): Html {
  const query = { key: id, ...(mode === 'test' && { mode }) };
  return figures([
    { label: 'Calls in 7 days', value: count(totals.calls), link: visit.link('/logs', query) },
    { label: 'Errors', value: count(totals.errors), hint: percent(totals.error_rate) },
    { label: 'Latency, 95th percentile', value: duration(totals.latency_ms_p95) },
  ]);
}

function properties(key: ApiKeyDto, names: KeyNames): Html {
  return definitions([
    ['Secret', key.last_four !== '' && html`<code>${key.prefix}...${key.last_four}</code>`],
    ['Module', names.modules.find(({ name }) => name === key.module)?.title ?? key.module],
    ['App', key.oauth_client && `${key.oauth_client.name ?? 'Unnamed'}, returns to ${key.oauth_client.redirect_host}`],
    ['Project', projectName(names, key.project_id)],
    [
      'Acts for',
      html`${memberName(names, key.actor_user_id)}${
        key.actor_status === 'inactive' && ', who is deactivated: calls that need a member or their permissions are refused'
      }`,
    ],
    ['Addresses', key.allowed_ips.length === 0 ? 'All' : key.allowed_ips.join(', ')],
    ['Requests per minute', key.rate_limit_per_minute ?? 'As for all keys'],
    ['Before sending or deleting', key.requires_plan ? 'It asks: such a call must follow a plan' : 'It does not ask'],
    ['Expires', timeOf(key.expires_at)],
    ['Last used', timeOf(key.last_used_at)],
    ['Created', html`${timeOf(key.created_at)} by ${key.created_by === null ? 'an operator' : memberName(names, key.created_by)}`],
    ['Revoked', key.revoked_at !== null && timeOf(key.revoked_at)],
    ['Id', html`<code>${key.id}</code>`],
  ]);
}

function lastErrors(visit: Visit, key: ApiKeyDto, { data }: ListBody<RequestLogDto>): Html {
  if (data.length === 0) return html`<h2>Last errors</h2><p class="soft">No error in the log.</p>`;
  const query = key.mode === 'test' ? { mode: 'test' } : {};
  const rows = table({
    caption: 'Last errors',
    rows: data,
    columns: [
      {
        label: 'Time',
        cell: ({ id, created_at }) => html`<a href="${visit.link(`/logs/${id}`, query)}">${timeOf(created_at, { seconds: true })}</a>`,
      },
      { label: 'Request', cell: ({ method, route }) => html`<code>${method} ${route ?? ''}</code>` },
      { label: 'Status', isState: true, cell: ({ status }) => statusBadge(status) },
      { label: 'Code', cell: ({ code }) => code },
    ],
  });
  return html`<h2>Last errors</h2>${rows}`;
}

function settings(visit: Visit, key: ApiKeyDto, names: KeyNames): Html {
  const isConnection = key.origin === 'oauth';
  const module = names.modules.find(({ name }) => name === key.module);
  const change = visit.form('change');
  const offered = module
    ? scopeChoices(visit, module)
    : scopeTexts(key.scopes, names).map(({ name, text }) => ({ value: name, label: text, hint: name }));
  const fields = html`${change.hidden('former_day', dayOf(key.expires_at))}
${change.text({ name: 'name', label: 'Name', value: key.name, attributes: html` maxlength="100"` })}
${change.ticks({ name: 'scopes', label: 'What it may do', values: key.scopes, options: offered })}
${askingField(change, key.requires_plan)}
${restrictionFields(visit, change, key)}`;
  return html`${change.render({ body: fields, submit: { label: 'Save' }, version: key.version, className: 'narrow' })}
<h2>${key.status === 'inactive' ? 'Switch on' : 'Switch off'}</h2>${switching(visit, key)}
${!isConnection && html`<h2>Roll</h2>${rolling(visit)}`}
<h2>${isConnection ? 'Disconnect' : 'Revoke'}</h2>
${typedConfirmation(visit, 'revoke', {
  name: key.name,
  explanation: 'Its next call is refused, whatever uses it. This cannot be undone; the log stays.',
  submit: isConnection ? 'Disconnect' : 'Revoke key',
})}`;
}

function switching(visit: Visit, key: ApiKeyDto): Html {
  if (isSuspended(key))
    return html`<p class="soft">The member for whom it acts is deactivated: its calls are refused until the member is active again.</p>`;
  const { status, version } = key;
  const form = visit.form('switch');
  const isOff = status === 'inactive';
  const text = isOff ? 'Calls with the key are accepted again.' : 'Calls with the key are refused until it is switched on again.';
  const body = html`<p>${text}</p>${form.hidden('status', isOff ? 'active' : 'inactive')}`;
  return form.render({ body, submit: { label: isOff ? 'Switch on' : 'Switch off', tone: 'quiet' }, version, className: 'narrow' });
}

function rolling(visit: Visit): Html {
  const form = visit.form('roll');
  const options = [0, 1, 4, 12, 24].map((hours) => ({
    value: String(hours),
    label: hours === 0 ? 'Ends at once' : `Works for another ${hours === 1 ? 'hour' : `${hours} hours`}`,
  }));
  const body = html`<p>The key gets a new secret and keeps everything else.</p>
${form.select({ name: 'overlap_hours', label: 'The old secret', value: '24', options })}`;
  return form.render({ body, submit: { label: 'Roll key', tone: 'quiet' }, className: 'narrow' });
}
