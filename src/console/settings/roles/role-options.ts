import { html } from '../../../kit/index.js';
import type { RoleDto } from '../../../platform/people/roles/roles.dto.js';
import type { Option } from '../../frame/form.js';
import type { Visit } from '../../frame/visit.js';
import { roleName, roleWords } from './role-words.js';

/** Whether the member has all permissions of a role: members cannot grant or remove permissions that they lack. */
export function commands(visit: Visit, { permissions }: Pick<RoleDto, 'permissions'>): boolean {
  return permissions.every((permission) => visit.visitor.permissions.has(permission));
}

/** The roles that the member can assign. */
export function roleOptions(visit: Visit, roles: readonly RoleDto[]): Option[] {
  return roles
    .filter((role) => commands(visit, role))
    .map((role) => ({ value: role.name, label: roleName(role.name), hint: html`<br>${roleWords(role)}` }));
}
