import type { OrgMemberDto } from '../../platform/people/model/member.dto.js';
import { DAY_MS, html, type Html, type ProjectDto } from '../../kit/index.js';
import type { ApiKeyDto, ScopedModuleDto } from '../../platform/keys/api-keys.dto.js';
import { badge, type Tone } from '../components/badge.js';
import type { Option, OptionGroup } from '../frame/form.js';
import type { Site, Visit } from '../frame/visit.js';

const STATUSES: Readonly<Record<string, readonly [label: string, tone: Tone]>> = {
  active: ['Active', 'good'],
  inactive: ['Switched off', 'warn'],
  expired: ['Expired', 'bad'],
  revoked: ['Revoked', 'bad'],
};
export const KEY_STATUS_OPTIONS = Object.entries(STATUSES).map(([value, [label]]) => ({ value, label }));

export function keyBadge(status: string): Html {
  return badge(...STATUSES[status]);
}

type Bound = Pick<ApiKeyDto, 'status' | 'origin' | 'actor_status'>;

/** The state of a key or connection, and whether its member is deactivated. */
export function stateBadge(key: Bound): Html {
  const deactivated = key.actor_status === 'inactive' && badge('Member deactivated', 'warn');
  return isSuspended(key) ? html`${deactivated}` : html`${keyBadge(key.status)}${deactivated && html` ${deactivated}`}`;
}

/** A connection does nothing while its member is deactivated. */
export function isSuspended({ status, origin, actor_status }: Bound): boolean {
  return status === 'inactive' && origin === 'oauth' && actor_status !== 'active';
}

const UNUSED_DAYS = 30;

/** The names that keys refer to. */
export interface KeyNames {
  modules: readonly ScopedModuleDto[];
  projects: readonly ProjectDto[];
  members: readonly OrgMemberDto[];
}

/** With the members that the keys name. */
export async function keyNames(visit: Visit, keys: readonly ApiKeyDto[]): Promise<KeyNames> {
  const [{ modules, projects }, members] = await Promise.all([
    keyChoices(visit),
    visit.byIds<OrgMemberDto>(
      '/members',
      keys.flatMap(({ actor_user_id, created_by }) => [actor_user_id, created_by]),
    ),
  ]);
  return { modules, projects, members: members ?? [] };
}

export async function keyChoices(visit: Visit): Promise<Pick<KeyNames, 'modules' | 'projects'>> {
  const [modules, projects] = await Promise.all([visit.all<ScopedModuleDto>('/developer/scopes'), visit.all<ProjectDto>('/projects')]);
  return { modules: modules.data, projects: projects.data };
}

export function projectName({ projects }: KeyNames, id: string | null): string {
  return id === null ? 'All' : (projects.find((project) => project.id === id)?.name ?? id);
}

export function memberName({ members }: KeyNames, id: string | null): Html {
  return id === null ? html`Nobody` : html`<bdi>${members.find((member) => member.id === id)?.name ?? id}</bdi>`;
}

/** The access of a key, in a few words. */
export function accessOf({ module, scopes }: Pick<ApiKeyDto, 'module' | 'scopes'>, { modules }: Pick<KeyNames, 'modules'>): string {
  const all = modules.find(({ name }) => name === module)?.scopes ?? [];
  if (all.length > 0 && all.every(({ name }) => scopes.includes(name))) return 'Everything';
  const amount = scopes.length === 1 ? '1 scope' : `${scopes.length} scopes`;
  return scopes.every(isReading) ? `Reads, ${amount}` : amount;
}

export function isReading(scope: string): boolean {
  return scope.endsWith(':read');
}

/** Whether a scope only writes, that is, neither deletes nor acts in the name of members. */
export function isWriting(scope: string): boolean {
  return scope.endsWith(':write');
}

/** The scopes as options, grouped by resource. */
export function scopeChoices(visit: Visit, { scopes }: ScopedModuleDto): OptionGroup[] {
  const groups = Map.groupBy(scopes, ({ name }) => name.split(':')[1]);
  return [...groups].map(([resource, ofResource]) => ({
    label: titleOf(resource),
    options: ofResource.map(({ name, description, required_permission }): Option => {
      const lacks = required_permission !== null && !visit.visitor.permissions.has(required_permission);
      const hint = lacks ? `${name}. Your role lacks ${required_permission}, which it requires.` : name;
      return { value: name, label: description, hint, disabled: lacks };
    }),
  }));
}

function titleOf(resource: string): string {
  return (resource.charAt(0).toUpperCase() + resource.slice(1)).replaceAll('_', ' ');
}

/** The scopes with their sentences, whatever module they belong to. */
export function scopeTexts(scopes: readonly string[], { modules }: Pick<KeyNames, 'modules'>): { name: string; text: string }[] {
  const all = modules.flatMap((module) => module.scopes);
  return scopes.map((name) => ({ name, text: all.find((scope) => scope.name === name)?.description ?? name }));
}

/** "More than 30 days ago", for a key that somebody may have forgotten. */
export function unusedNote({ last_used_at, status }: ApiKeyDto): string | null {
  if (last_used_at === null || status !== 'active') return null;
  return Date.now() - Date.parse(last_used_at) > UNUSED_DAYS * DAY_MS ? `More than ${UNUSED_DAYS} days ago` : null;
}

/** A call that the key may make and that changes nothing; null if it has no such scope. */
export function exampleCall({ baseUrl, routes }: Site, scopes: readonly string[], secret = '$SVC_KEY'): string | null {
  const route = routes.find(
    ({ plane, method, path, endpoint }) =>
      plane === 'keyed' && method === 'GET' && !path.includes('{') && endpoint?.list === true && scopes.includes(endpoint.scope ?? ''),
  );
  if (!route) return null;
  return `curl -sS '${baseUrl}${route.path}?limit=3' \\\n  -H "Authorization: Bearer ${secret}"`;
}
