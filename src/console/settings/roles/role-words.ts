import type { RoleDto } from '../../../platform/people/roles/roles.dto.js';

/** Descriptions of the built-in roles, which have none of their own. */
const GIVEN: Readonly<Record<string, string>> = {
  owner: 'Everything, and appoints owners',
  admin: 'Everything except appointing owners',
  developer: 'The developer area: keys, webhooks, logs',
  member: 'The daily work in the modules',
};

/** The name of a role; those of the built-in ones, which are codes, as words. */
export function roleName(name: string): string {
  return name in GIVEN ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : name;
}

export function roleWords({ name, description, built_in }: RoleDto): string | null {
  return description ?? (built_in ? (GIVEN[name] ?? null) : null);
}
