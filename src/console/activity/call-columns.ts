import { html, isUuid, type Html } from '../../kit/index.js';
import type { ApiKeyDto } from '../../platform/keys/api-keys.dto.js';
import type { OrgMemberDto } from '../../platform/people/model/member.dto.js';
import type { RequestLogDto } from '../../platform/request-log/request-logs.dto.js';
import { badge, statusBadge } from '../components/badge.js';
import { breakable } from '../components/breakable.js';
import { count, duration } from '../components/numbers.js';
import type { Column } from '../components/table.js';
import { timeOf } from '../components/times.js';
import type { Visit } from '../frame/visit.js';

const MOST_OFFERED = 100;
/** The common prefix of the API's routes. */
export const KEYED = '/api/v1/ext';

/** By id. */
export type Names = ReadonlyMap<string, string>;

/** The names that the member may read; null if none. */
export interface CallerNames {
  keys: Names | null;
  members: Names | null;
}

/** The names of the callers, and of the newest keys or members, which a filter offers. */
export async function callerNames(
  visit: Visit,
  calls: readonly Pick<RequestLogDto, 'api_key_id' | 'member_id'>[],
  { withMembers }: { withMembers: boolean },
): Promise<CallerNames> {
  const [keys, members] = await Promise.all([
    namesWith<ApiKeyDto>(visit, '/developer/api-keys', [visit.query.get('key'), ...calls.map(({ api_key_id }) => api_key_id)]),
    withMembers && namesWith<OrgMemberDto>(visit, '/members', [visit.query.get('member'), ...calls.map(({ member_id }) => member_id)]),
  ]);
  return { keys, members: members || null };
}

export async function memberNames(visit: Visit, ids: readonly string[]): Promise<Names | null> {
  const members = await visit.byIds<OrgMemberDto>('/members', ids);
  return members && new Map(members.map(({ id, name }) => [id, name]));
}

async function namesWith<Item extends { id: string; name: string }>(
  visit: Visit,
  path: string,
  ids: readonly (string | null)[],
): Promise<Names | null> {
  const newest = await visit.find<{ data: Item[] }>(path, { limit: MOST_OFFERED });
  if (!newest) return null;
  const names = new Map(newest.data.map(({ id, name }) => [id, name]));
  const missing = ids.filter((id) => id !== null && isUuid(id) && !names.has(id));
  for (const { id, name } of (await visit.byIds<Item>(path, missing)) ?? []) names.set(id, name);
  return names;
}

/** Its name, or the end of its id, which distinguishes ids of the same time. */
export function nameOf(names: Names | null, id: string): Html {
  const name = names?.get(id);
  return name !== undefined ? html`<bdi>${name}</bdi>` : html`<code title="${id}">...${id.slice(-8)}</code>`;
}

/** The route that was called, without the common prefix of the API's routes. */
export function routeOf({ method, route }: { method: string; route: string | null }): Html {
  if (route === null) return html`${method} <span class="soft">unknown path</span>`;
  return html`${method} <span class="mono">${breakable(route.replace(KEYED, ''))}</span>`;
}

export function outcomeOf({ status, code }: { status: number; code: string | null }): Html {
  return html`${statusBadge(status)}${code !== null && html` <span class="mono one">${code}</span>`}`;
}

/** Of a call that asked for a dry run, also if it was refused. */
export function dryRunBadge(): Html {
  return badge('Dry run', 'warn');
}

/** The caller: the key or the member. */
function callerOf({ api_key_id, member_id }: RequestLogDto, { keys, members }: CallerNames): Html | string {
  if (api_key_id !== null) return nameOf(keys, api_key_id);
  return member_id === null ? html`<span class="soft">Unknown</span>` : nameOf(members, member_id);
}

export function viaOf({ via, tool }: RequestLogDto): Html | string {
  return via === 'mcp' ? html`MCP${tool !== null && html` <span class="soft mono">${breakable(tool)}</span>`}` : 'HTTP';
}

/** What a call asked for: the tool, or the route. All calls of tools have the route of the MCP endpoint. */
export function requestOf({ tool, ...call }: Pick<RequestLogDto, 'method' | 'route' | 'tool'>): Html {
  return tool !== null ? html`<span class="mono">${breakable(tool)}</span>` : routeOf(call);
}

/** Refused calls are counted, see RefusedCalls. */
function countOf({ calls }: RequestLogDto): Html | false {
  return calls > 1 && html` ${badge(`${count(calls)} calls`)}`;
}

/** The error code on a line of its own, so that it does not widen the table. */
function codeOf({ code }: RequestLogDto): Html | false {
  return code !== null && html`<br><span class="mono one">${code}</span>`;
}

/** The columns of the log. */
export function callColumns(visit: Visit, names: CallerNames): Column<RequestLogDto>[] {
  return [
    { label: 'Request', cell: (row) => html`<a href="${visit.link(`/logs/${row.id}`)}">${requestOf(row)}</a>` },
    {
      label: 'Response',
      isState: true,
      cell: (row) =>
        html`${statusBadge(row.status)}${row.dry_run && html` ${dryRunBadge()}`}${
          row.idempotent_replay && html` ${badge('Replayed')}`
        }${countOf(row)}${codeOf(row)}`,
    },
    { label: 'Caller', cell: (row) => callerOf(row, names) },
    { label: 'Via', cell: ({ via }) => (via === 'mcp' ? 'MCP' : 'HTTP') },
    { label: 'Latency', isNumber: true, cell: ({ latency_ms }) => duration(latency_ms) },
    { label: 'Time', cell: ({ created_at }) => timeOf(created_at, { seconds: true }) },
  ];
}
