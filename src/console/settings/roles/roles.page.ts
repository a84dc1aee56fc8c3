import { html } from '../../../kit/index.js';
import type { RoleDto } from '../../../platform/people/roles/roles.dto.js';
import { badge } from '../../components/badge.js';
import { cursorOf, paging } from '../../components/lists.js';
import { table } from '../../components/table.js';
import { definePage } from '../../frame/page-definition.js';
import { roleName, roleWords } from './role-words.js';
import { subjectsOf } from './permission-groups.js';

export const rolesPage = definePage({
  path: '/settings/roles',
  title: 'Roles',
  permission: 'org.members.manage',
  operations: ['list_roles'],
  nav: 'Organization',
  icon: 'shield-check',
  notices: { deleted: 'The role was deleted.' },
  async show(visit) {
    const roles = await visit.listOfPage<RoleDto>('/roles', { limit: 50, ...cursorOf(visit) });
    return {
      title: 'Roles',
      lead: 'A role is a set of permissions. Four roles are built in; create your own for any other set.',
      tools: html`<a class="button" href="${visit.link('/settings/roles/new')}">New role</a>`,
      body: html`${table<RoleDto>({
        caption: 'Roles',
        columns: [
          {
            label: 'Name',
            cell: (role) =>
              html`<a href="${visit.link(`/settings/roles/${role.id}`)}">${roleName(role.name)}</a><br>
<span class="soft">${roleWords(role)}</span>`,
          },
          { label: 'Kind', isState: true, cell: ({ built_in }) => (built_in ? badge('Built-in') : badge('Custom', 'good')) },
          { label: 'About', cell: ({ permissions }) => subjectsOf(visit, permissions) || 'Nothing that needs a permission' },
          { label: 'Permissions', isNumber: true, cell: ({ permissions }) => permissions.length },
          {
            label: 'Members',
            isNumber: true,
            cell: ({ name, member_count }) =>
              member_count === 0 ? '0' : html`<a href="${visit.link('/settings/members', { role: name })}">${member_count}</a>`,
          },
        ],
        rows: roles.data,
      })}${paging(visit, roles)}`,
    };
  },
});
