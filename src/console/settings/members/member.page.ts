import { html, redirect, type Html } from '../../../kit/index.js';
import type { OrgMemberDto } from '../../../platform/people/model/member.dto.js';
import type { RoleDto } from '../../../platform/people/roles/roles.dto.js';
import { badge } from '../../components/badge.js';
import { definitions } from '../../components/blocks.js';
import { timeOf } from '../../components/times.js';
import { definePage, type Action } from '../../frame/page-definition.js';
import type { Visit } from '../../frame/visit.js';
import { commands, roleOptions } from '../roles/role-options.js';
import { roleName } from '../roles/role-words.js';

export const memberPage = definePage({
  path: '/settings/members/:id',
  title: 'Member',
  permission: 'org.members.manage',
  operations: ['get_org_member', 'list_roles'],
  notices: {
    changed: 'The changes apply from the next request of the member on.',
    deactivated: 'The member was signed out everywhere and can no longer sign in.',
    reactivated: 'The member can sign in again.',
    reset: 'The second factor was removed, and the member was signed out everywhere.',
  },
  async show(visit) {
    const [member, roles] = await Promise.all([visit.get<OrgMemberDto>(`/members/${visit.param('id')}`), visit.all<RoleDto>('/roles')]);
    const role = roles.data.find(({ name }) => name === member.role);
    const isYou = member.id === visit.visitor.member.id;
    return {
      title: member.name,
      above: [{ path: '/settings/members', label: 'Members' }],
      lead: html`${member.email}${isYou && html` ${badge('You')}`}`,
      body: html`${definitions([
        ['Status', member.status === 'active' ? badge('Active', 'good') : badge('Deactivated', 'bad')],
        ['Role', role ? html`<a href="${visit.link(`/settings/roles/${role.id}`)}">${roleName(role.name)}</a>` : roleName(member.role)],
        ['Second factor', member.second_factor ? badge('On', 'good') : badge('Off')],
        ['Last sign-in', timeOf(member.last_sign_in_at)],
        ['Member since', timeOf(member.created_at)],
      ])}${role && commands(visit, role) ? forms(visit, member, roles.data, isYou) : beyond(member)}`,
    };
  },
  actions: {
    change: {
      operations: ['update_org_member'],
      refusal: 'The member was not changed',
      run(visit, values) {
        return update(visit, { name: values.text('name'), role: values.text('role') }, 'changed', Number(values.text('version')));
      },
    },
    deactivate: statusAction('inactive', 'deactivated', 'The member was not deactivated'),
    reactivate: statusAction('active', 'reactivated', 'The member was not reactivated'),
    reset_second_factor: {
      operations: ['reset_member_second_factor'],
      refusal: 'The second factor was not removed',
      async run(visit) {
        await visit.delete(`/members/${visit.param('id')}/second-factor`);
        return redirect(visit.here({ done: 'reset' }));
      },
    },
  },
});

function statusAction(status: string, notice: string, refusal: string): Action {
  return { operations: ['update_org_member'], refusal, run: (visit) => update(visit, { status }, notice) };
}

async function update(visit: Visit, changes: object, notice: string, version?: number) {
  await visit.patch(`/members/${visit.param('id')}`, changes, version);
  return redirect(visit.here({ done: notice }));
}

function beyond({ name, role }: OrgMemberDto): Html {
  return html`<div class="note"><h2>You cannot change this member</h2><p>The role ${roleName(role)} has permissions that you lack.
Somebody who has all
of them can change ${name}.</p></div>`;
}

function forms(visit: Visit, member: OrgMemberDto, roles: readonly RoleDto[], isYou: boolean): Html {
  const form = visit.form('change');
  const change = form.render({
    className: 'narrow',
    version: member.version,
    body: html`${form.text({ name: 'name', label: 'Full name', value: member.name })}
${form.select({
  name: 'role',
  label: 'Role',
  hint: isYou ? 'This is your own role: another one may close this page to you.' : undefined,
  value: member.role,
  options: roleOptions(visit, roles),
})}`,
    submit: { label: 'Save' },
  });
  return html`<h2>Name and role</h2>${change}${member.second_factor && secondFactor(visit, member)}${access(visit, member, isYou)}`;
}

function secondFactor(visit: Visit, { name }: OrgMemberDto): Html {
  const submit = { label: 'Remove the second factor', tone: 'grave', confirm: `Remove the second factor of ${name}?` } as const;
  return html`<h2>Second factor</h2><p class="soft">For somebody who lost their phone and their recovery codes.
Make sure that it is they who
ask. They are signed out everywhere, and then sign in with their password alone.</p>
${visit.form('reset_second_factor').render({ submit })}`;
}

function access(visit: Visit, { name, status }: OrgMemberDto, isYou: boolean): Html {
  if (status === 'inactive')
    return html`<h2>Access</h2><p class="soft">${name} cannot sign in, and keys that act for them are refused.</p>${visit
      .form('reactivate')
      .render({ submit: { label: 'Reactivate', tone: 'quiet' } })}`;
  const submit = { label: isYou ? 'Deactivate yourself' : 'Deactivate', tone: 'grave', confirm: `Deactivate ${name}?` } as const;
  return html`<h2>Access</h2><p class="soft">Deactivating signs ${isYou ? 'you' : name} out everywhere at once. What was made before
stays, and so do API keys; those that act for ${isYou ? 'you' : name} are refused. It can be undone.</p>
${visit.form('deactivate').render({ submit })}`;
}
