import { html, type Html } from '../../../kit/index.js';
import type { DeclaredPermission } from '../../../platform/registry/permission-registry.js';
import type { OptionGroup } from '../../frame/form.js';
import type { Visit } from '../../frame/visit.js';

/** All permissions by the group that their declarations name. */
function groupsOf(visit: Visit): Map<string, DeclaredPermission[]> {
  return Map.groupBy(visit.site.permissions.all, ({ group }) => group);
}

/** Permissions as checkboxes. Those that the member lacks are shown but cannot be granted. */
export function permissionOptions(visit: Visit): OptionGroup[] {
  return [...groupsOf(visit)].map(([label, permissions]) => ({
    label,
    options: permissions.map(({ name, title }) => {
      const lacks = !visit.visitor.permissions.has(name);
      return { value: name, label: title, hint: lacks ? 'You lack it yourself.' : undefined, disabled: lacks };
    }),
  }));
}

/** The permissions of a role, in words. */
export function permissionList(visit: Visit, held: readonly string[]): Html {
  const groups = [...groupsOf(visit)].flatMap(([group, permissions]) => {
    const given = permissions.filter(({ name }) => held.includes(name));
    if (given.length === 0) return [];
    const items = given.map(({ name, title }) => html`<li>${title}<br><code class="soft">${name}</code></li>`);
    return [html`<h3>${group}</h3><ul class="plain">${items}</ul>`];
  });
  return groups.length > 0 ? html`${groups}` : html`<p class="soft">Nothing that needs a permission.</p>`;
}

/** The groups of a role's permissions, for a list of roles. */
export function subjectsOf(visit: Visit, held: readonly string[]): string {
  return [...groupsOf(visit)]
    .filter(([, permissions]) => permissions.some(({ name }) => held.includes(name)))
    .map(([group]) => group)
    .join(', ');
}
