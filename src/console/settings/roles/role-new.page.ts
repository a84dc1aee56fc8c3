import { html, redirect } from '../../../kit/index.js';
import type { RoleDto } from '../../../platform/people/roles/roles.dto.js';
import { definePage } from '../../frame/page-definition.js';
import { permissionOptions } from './permission-groups.js';

export const newRolePage = definePage({
  path: '/settings/roles/new',
  title: 'New role',
  permission: 'org.members.manage',
  operations: [],
  show(visit) {
    const form = visit.form('create', { prefill: true });
    return {
      title: 'New role',
      above: [{ path: '/settings/roles', label: 'Roles' }],
      lead: 'You can give only permissions that you have yourself.',
      body: form.render({
        className: 'narrow',
        body: html`${form.text({ name: 'name', label: 'Name', hint: 'It cannot be changed later.', attributes: html` maxlength="60"` })}
${form.text({ name: 'description', label: 'What it is for', isOptional: true, attributes: html` maxlength="500"` })}
${form.ticks({ name: 'permissions', label: 'Permissions', options: permissionOptions(visit) })}`,
        submit: { label: 'Create role' },
      }),
    };
  },
  actions: {
    create: {
      operations: ['create_role'],
      refusal: 'The role was not created',
      async run(visit, values) {
        const role = await visit.post<RoleDto>('/roles', {
          name: values.text('name'),
          description: values.optional('description'),
          permissions: values.all('permissions'),
        });
        return redirect(visit.link(`/settings/roles/${role.id}`, { done: 'created' }));
      },
    },
  },
});
