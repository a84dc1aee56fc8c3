import { html, redirect, type Html } from '../../../kit/index.js';
import type { OrgMemberDto } from '../../../platform/people/model/member.dto.js';
import type { RoleDto } from '../../../platform/people/roles/roles.dto.js';
import { badge } from '../../components/badge.js';
import { definePage } from '../../frame/page-definition.js';
import type { Visit } from '../../frame/visit.js';
import { commands } from './role-options.js';
import { roleName, roleWords } from './role-words.js';
import { permissionList, permissionOptions } from './permission-groups.js';

const MOST_HOLDERS = 20;

export const rolePage = definePage({
  path: '/settings/roles/:id',
  title: 'Role',
  permission: 'org.members.manage',
  operations: ['get_role', 'list_org_members'],
  notices: {
    created: 'The role was created. Give it to members, or invite people with it.',
    copied: 'This is the copy. Change it as you need it.',
    changed: 'The changes apply to the next request of its members.',
  },
  async show(visit) {
    const role = await visit.get<RoleDto>(`/roles/${visit.param('id')}`);
    const holders = await visit.list<OrgMemberDto>('/members', { role: role.name, limit: MOST_HOLDERS });
    const isChangeable = !role.built_in && commands(visit, role);
    return {
      title: roleName(role.name),
      above: [{ path: '/settings/roles', label: 'Roles' }],
      lead: html`${roleWords(role)} ${role.built_in ? badge('Built-in') : badge('Custom', 'good')}`,
      body: html`${isChangeable ? changeForm(visit, role) : fixed(visit, role)}
<h2 id="holders">Who has it</h2>${holdersOf(visit, role, holders.data)}
${commands(visit, role) && copyForm(visit, role)}${isChangeable && deletion(visit, role)}`,
    };
  },
  actions: {
    change: {
      operations: ['update_role'],
      refusal: 'The role was not changed',
      async run(visit, values) {
        const changes = { description: values.optional('description'), permissions: values.all('permissions') };
        await visit.patch(`/roles/${visit.param('id')}`, changes, Number(values.text('version')));
        return redirect(visit.here({ done: 'changed' }));
      },
    },
    copy: {
      operations: ['copy_role'],
      refusal: 'The role was not copied',
      async run(visit, values) {
        const copy = await visit.post<RoleDto>(`/roles/${visit.param('id')}/copy`, { name: values.text('name') });
        return redirect(visit.link(`/settings/roles/${copy.id}`, { done: 'copied' }));
      },
    },
    delete: {
      operations: ['delete_role'],
      refusal: 'The role was not deleted',
      async run(visit) {
        await visit.delete(`/roles/${visit.param('id')}`);
        return redirect(visit.link('/settings/roles', { done: 'deleted' }));
      },
    },
  },
});

function changeForm(visit: Visit, { description, permissions, version }: RoleDto): Html {
  const form = visit.form('change');
  return form.render({
    className: 'narrow',
    version,
    body: html`${form.text({
      name: 'description',
      label: 'What it is for',
      isOptional: true,
      value: description,
      attributes: html` maxlength="500"`,
    })}
${form.ticks({ name: 'permissions', label: 'Permissions', values: permissions, options: permissionOptions(visit) })}`,
    submit: { label: 'Save' },
  });
}

function fixed(visit: Visit, { built_in, permissions }: RoleDto): Html {
  const why = built_in
    ? html`Every organization has this role, so it cannot be changed. Copy it to make one that differs.`
    : html`It has permissions that you lack, so somebody who has all of them must change it.`;
  return html`<p class="soft">${why}</p><h2>What it permits</h2>${permissionList(visit, permissions)}`;
}

function holdersOf(visit: Visit, { name, member_count }: RoleDto, holders: readonly OrgMemberDto[]): Html {
  if (member_count === 0)
    return html`<p class="soft">Nobody yet. <a href="${visit.link('/settings/members/invite', { role: name })}">Invite somebody with this
role</a>, or give it to a <a href="${visit.link('/settings/members')}">member</a>.</p>`;
  const items = holders.map(
    ({ id, name: holder, email, status }) =>
      html`<li><a href="${visit.link(`/settings/members/${id}`)}">${holder}</a> <span class="soft">${email}</span>${
        status === 'inactive' && html` ${badge('Deactivated', 'bad')}`
      }</li>`,
  );
  const all = html`<p><a href="${visit.link('/settings/members', { role: name })}">All ${member_count} members</a></p>`;
  return html`<ul class="plain">${items}</ul>${member_count > holders.length && all}`;
}

function copyForm(visit: Visit, { name }: RoleDto): Html {
  const form = visit.form('copy');
  return html`<h2>Copy it</h2>${form.render({
    className: 'narrow',
    body: form.text({
      name: 'name',
      label: 'Name of the copy',
      hint: `It gets the permissions of ${roleName(name)}.`,
      attributes: html` maxlength="60"`,
    }),
    submit: { label: 'Copy', tone: 'quiet' },
  })}`;
}

function deletion(visit: Visit, { name, member_count }: RoleDto): Html {
  if (member_count > 0)
    return html`<h2>Delete it</h2><p class="soft">It is in use: give <a href="#holders">its members</a> another role first.</p>`;
  const submit = { label: 'Delete role', tone: 'grave', confirm: `Delete the role ${name}?` } as const;
  return html`<h2>Delete it</h2>${visit.form('delete').render({ submit })}`;
}
