import { html, redirect, type Html } from '../../../kit/index.js';
import type { InvitationDto } from '../../../platform/account/invitations/invitations.dto.js';
import type { OrgMemberDto } from '../../../platform/people/model/member.dto.js';
import type { RoleDto } from '../../../platform/people/roles/roles.dto.js';
import { badge } from '../../components/badge.js';
import { emptyState } from '../../components/blocks.js';
import { cursorOf, filterForm, filterQuery, isFiltered, paging } from '../../components/lists.js';
import { table } from '../../components/table.js';
import { timeOf } from '../../components/times.js';
import type { Submit } from '../../frame/form.js';
import { roleName } from '../roles/role-words.js';
import { definePage } from '../../frame/page-definition.js';
import type { Visit } from '../../frame/visit.js';
import { sentView } from './invitation-view.js';

const STATUSES = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Deactivated' },
];

export const membersPage = definePage({
  path: '/settings/members',
  title: 'Members',
  permission: 'org.members.manage',
  operations: ['list_org_members', 'list_roles', 'list_invitations'],
  nav: 'Organization',
  icon: 'users',
  parameters: { email: { label: 'E-mail' }, role: { label: 'Role' }, status: { label: 'Status' } },
  notices: {
    invited: 'The invitation is on its way. It appears below until it is accepted.',
    resent: 'The invitation was sent again. Earlier links no longer work.',
    withdrawn: 'The invitation was withdrawn. Its link no longer works.',
  },
  async show(visit) {
    const email = visit.query.get('email')?.trim().toLowerCase();
    const [members, roles, invitations] = await Promise.all([
      visit.listOfPage<OrgMemberDto>('/members', { ...filterQuery(visit), email, ...cursorOf(visit) }),
      visit.all<RoleDto>('/roles'),
      visit.all<InvitationDto>('/invitations'),
    ]);
    return {
      title: 'Members',
      lead: 'The people of your organization. Their role decides what they see and do.',
      tools: html`<a class="button" href="${visit.link('/settings/members/invite')}">Invite a person</a>`,
      body: html`${filters(visit, roles.data)}${members.data.length > 0 ? membersTable(visit, members.data) : nothing(visit)}${paging(
        visit,
        members,
      )}${invited(visit, invitations.data)}`,
    };
  },
  actions: {
    resend: {
      operations: ['resend_invitation'],
      refusal: 'The invitation was not sent again',
      async run(visit, values) {
        const path = `/invitations/${encodeURIComponent(values.text('invitation_id'))}/resend`;
        return sentView(visit, { method: 'POST', path, body: {} }, 'resent');
      },
    },
    withdraw: {
      operations: ['withdraw_invitation'],
      refusal: 'The invitation was not withdrawn',
      async run(visit, values) {
        await visit.delete(`/invitations/${encodeURIComponent(values.text('invitation_id'))}`);
        return redirect(visit.here({ done: 'withdrawn' }));
      },
    },
  },
});

function filters(visit: Visit, roles: readonly RoleDto[]): Html {
  return filterForm(visit, [
    { name: 'email', type: 'text', placeholder: 'ada@example.com' },
    { name: 'role', options: roles.map(({ name }) => ({ value: name, label: name })) },
    { name: 'status', options: STATUSES },
  ]);
}

function membersTable(visit: Visit, members: readonly OrgMemberDto[]): Html {
  const isYou = ({ id }: OrgMemberDto) => id === visit.visitor.member.id;
  return table<OrgMemberDto>({
    caption: 'Members',
    columns: [
      {
        label: 'Name',
        cell: (member) =>
          html`<a href="${visit.link(`/settings/members/${member.id}`)}"><bdi>${member.name}</bdi></a>${
            isYou(member) && html` ${badge('You')}`
          }<br><span class="soft">${member.email}</span>`,
      },
      { label: 'Role', cell: ({ role }) => roleName(role) },
      {
        label: 'Status',
        isState: true,
        cell: ({ status }) => (status === 'active' ? badge('Active', 'good') : badge('Deactivated', 'bad')),
      },
      {
        label: 'Second factor',
        cell: ({ second_factor }) => (second_factor ? badge('On', 'good') : badge('Off')),
      },
      { label: 'Last sign-in', cell: ({ last_sign_in_at }) => timeOf(last_sign_in_at) },
    ],
    rows: members,
  });
}

function nothing(visit: Visit): Html {
  const step = html`<a class="button quiet" href="${visit.here({ cursor: null, trail: null, email: null, role: null, status: null })}">Show
all members</a>`;
  return isFiltered(visit)
    ? emptyState({ heading: 'No member matches', text: 'There are members, but none with these properties.', step })
    : emptyState({ heading: 'No further members', text: 'This is the end of the list.', step });
}

function invited(visit: Visit, invitations: readonly InvitationDto[]): Html {
  if (invitations.length === 0)
    return html`<h2>Invitations</h2>${emptyState({
      heading: 'Nobody is invited right now',
      text: 'An invitation is listed here until it is accepted. Its link works for seven days.',
      step: html`<a class="button quiet" href="${visit.link('/settings/members/invite')}">Invite a person</a>`,
    })}`;
  return html`<h2>Invitations</h2>${table<InvitationDto>({
    caption: 'Invitations that nobody has accepted yet',
    columns: [
      { label: 'Name', cell: ({ name, email }) => html`<bdi>${name}</bdi><br><span class="soft">${email}</span>` },
      { label: 'Role', cell: ({ role }) => roleName(role) },
      { label: 'Status', isState: true, cell: ({ status }) => (status === 'pending' ? badge('Pending') : badge('Expired', 'warn')) },
      { label: 'Link expires', cell: ({ expires_at }) => timeOf(expires_at) },
      {
        label: 'Actions',
        cell: ({ id, name }) =>
          html`<div class="row">${rowForm(visit, 'resend', id, { label: 'Send again', tone: 'quiet' })}${rowForm(visit, 'withdraw', id, {
            label: 'Withdraw',
            tone: 'quiet',
            confirm: `Withdraw the invitation of ${name}?`,
          })}</div>`,
      },
    ],
    rows: invitations,
  })}`;
}

function rowForm(visit: Visit, action: string, id: string, submit: Submit): Html {
  const form = visit.form(action, { id });
  return form.render({ body: form.hidden('invitation_id', id), submit });
}
