import { html, type Html } from '../../../kit/index.js';
import { PERMISSIONS, type Permission } from '../../../platform/people/model/permissions.js';
import type { OptionGroup } from '../../frame/form.js';
import type { Visit } from '../../frame/visit.js';

/** The subjects of permissions by the beginning of their names; the first match counts. */
const SUBJECTS: readonly (readonly [prefix: string, subject: string])[] = [
  ['org.developer.', 'Developer area'],
  ['org.crm.', 'CRM'],
  ['org.marketing.', 'CRM'],
  ['crm.', 'CRM'],
  ['org.', 'Organization'],
  ['tasks.', 'Tasks'],
  ['papers.', 'Documents'],
  ['schedule.', 'Schedule'],
  ['inventory.', 'Inventory'],
  ['accounting.', 'Accounting'],
  ['storefront.', 'Storefront'],
  ['desk.', 'Service desk'],
  ['hr.', 'HR'],
];

/** All permissions by subject. */
const GROUPS = Map.groupBy(Object.keys(PERMISSIONS) as Permission[], subjectOf);

function subjectOf(permission: string): string {
  return SUBJECTS.find(([prefix]) => permission.startsWith(prefix))?.[1] ?? 'Other';
}

/** Permissions as checkboxes. Those that the member lacks are shown but cannot be granted. */
export function permissionOptions(visit: Visit): OptionGroup[] {
  return [...GROUPS].map(([label, permissions]) => ({
    label,
    options: permissions.map((permission) => {
      const lacks = !visit.visitor.permissions.has(permission);
      return { value: permission, label: PERMISSIONS[permission], hint: lacks ? 'You lack it yourself.' : undefined, disabled: lacks };
    }),
  }));
}

/** The permissions of a role, in words. */
export function permissionList(held: readonly string[]): Html {
  const groups = [...GROUPS].flatMap(([subject, permissions]) => {
    const given = permissions.filter((permission) => held.includes(permission));
    if (given.length === 0) return [];
    const items = given.map((permission) => html`<li>${PERMISSIONS[permission]}<br><code class="soft">${permission}</code></li>`);
    return [html`<h3>${subject}</h3><ul class="plain">${items}</ul>`];
  });
  return groups.length > 0 ? html`${groups}` : html`<p class="soft">Nothing that needs a permission.</p>`;
}

/** The subjects of a role's permissions, for a list of roles. */
export function subjectsOf(held: readonly string[]): string {
  return [...GROUPS]
    .filter(([, permissions]) => permissions.some((permission) => held.includes(permission)))
    .map(([subject]) => subject)
    .join(', ');
}
