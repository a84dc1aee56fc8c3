import { html } from '../../../kit/index.js';
import type { RoleDto } from '../../../platform/people/roles/roles.dto.js';
import { definePage } from '../../frame/page-definition.js';
import { sentView } from './invitation-view.js';
import { roleOptions } from '../roles/role-options.js';

export const invitePage = definePage({
  path: '/settings/members/invite',
  title: 'Invite a person',
  permission: 'org.members.manage',
  operations: ['list_roles'],
  async show(visit) {
    const roles = await visit.all<RoleDto>('/roles');
    const form = visit.form('invite', { prefill: true });
    return {
      title: 'Invite a person',
      above: [{ path: '/settings/members', label: 'Members' }],
      lead: 'The person gets a link to choose a password. It is valid for seven days.',
      body: form.render({
        className: 'narrow',
        body: html`${form.text({ name: 'name', label: 'Full name' })}
${form.text({ name: 'email', label: 'E-mail', type: 'email', hint: 'They sign in with it.' })}
${form.radios({
  name: 'role',
  label: 'Role',
  hint: 'You can give roles whose permissions you have yourself.',
  options: roleOptions(visit, roles.data),
})}`,
        submit: { label: 'Invite' },
      }),
    };
  },
  actions: {
    invite: {
      operations: ['create_invitation'],
      refusal: 'Nobody was invited',
      run(visit, values) {
        const [name, email, role] = ['name', 'email', 'role'].map((field) => values.text(field));
        return sentView(visit, { method: 'POST', path: '/invitations', body: { name, email, role } }, 'invited');
      },
    },
  },
});
