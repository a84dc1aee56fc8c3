import { html, redirect, type Html } from '../../kit/index.js';
import { PASSWORD_MIN_LENGTH } from '../../platform/people/model/passwords.js';
import type { SecondFactorDto } from '../../platform/people/second-factor/second-factor.dto.js';
import type { EndedSessionsDto, MemberSessionDto } from '../../platform/people/sessions/sessions.dto.js';
import { CONSOLE_PATHS } from '../../platform/config/console-paths.js';
import { badge } from '../components/badge.js';
import { addressText } from '../components/breakable.js';
import { cursorOf, paging } from '../components/lists.js';
import { table, type Column } from '../components/table.js';
import { timeOf } from '../components/times.js';
import { ACCOUNT } from '../frame/own-pages.js';
import { definePage } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';
import { deviceName } from './device-name.js';
import { SECOND_FACTOR } from './second-factor.page.js';

const PASSWORDS = {
  current_password: { label: 'Current password', autocomplete: 'current-password' },
  new_password: { label: 'New password', autocomplete: 'new-password' },
} as const;

export const accountPage = definePage({
  path: ACCOUNT,
  title: 'Account',
  permission: null,
  operations: ['get_second_factor', 'list_sessions'],
  nav: 'Your account',
  icon: 'user-cog',
  notices: {
    password: 'Your password was changed. Your other sessions were ended, and you get a mail about the change.',
    factor: 'Your second factor was removed. Your password alone signs you in.',
    ended: 'The session was ended.',
    others: 'All your other sessions were ended.',
  },
  async show(visit) {
    const [factor, sessions] = await Promise.all([
      visit.get<SecondFactorDto>('/account/second-factor'),
      visit.listOfPage<MemberSessionDto>('/account/sessions', cursorOf(visit)),
    ]);
    const { name, email, role } = visit.visitor.member;
    return {
      title: 'Account',
      lead: html`<bdi>${name}</bdi>, ${email}. Your role is ${role}.`,
      body: html`<h2>Password</h2>${passwordForm(visit)}
<h2>Second factor</h2>${secondFactor(visit, factor)}
<h2>Sessions</h2><p class="soft">Where you are signed in. End those that you do not know, and change your password.</p>
${sessionsTable(visit, sessions.data)}${paging(visit, sessions)}
${sessions.data.length > 1 && endOthers(visit)}`,
    };
  },
  actions: {
    change_password: {
      operations: ['change_password'],
      refusal: 'Your password was not changed',
      passwords: PASSWORDS,
      async run(visit, values) {
        await visit.post<EndedSessionsDto>('/account/password', {
          current_password: values.exact('current_password'),
          new_password: values.exact('new_password'),
        });
        return redirect(visit.here({ done: 'password' }));
      },
    },
    end_session: {
      operations: ['end_session'],
      refusal: 'The session was not ended',
      async run(visit, values) {
        const id = values.text('session_id');
        await visit.delete(`/account/sessions/${encodeURIComponent(id)}`);
        return redirect(id === visit.visitor.sessionId ? CONSOLE_PATHS.signIn : visit.here({ done: 'ended' }));
      },
    },
    end_others: {
      operations: ['end_other_sessions'],
      refusal: 'Your other sessions were not ended',
      async run(visit) {
        await visit.post<EndedSessionsDto>('/account/sessions/end-others');
        return redirect(visit.here({ done: 'others' }));
      },
    },
  },
});

function passwordForm(visit: Visit): Html {
  const form = visit.form('change_password');
  return form.render({
    className: 'narrow',
    body: html`<input type="text" autocomplete="username" value="${visit.visitor.member.email}" hidden readonly>
${form.text({ name: 'current_password', type: 'password', ...PASSWORDS.current_password })}
${form.text({
  name: 'new_password',
  type: 'password',
  ...PASSWORDS.new_password,
  hint: `At least ${PASSWORD_MIN_LENGTH} characters. Your other sessions end.`,
  attributes: html` minlength="${PASSWORD_MIN_LENGTH}"`,
})}`,
    submit: { label: 'Change password' },
  });
}

function secondFactor(visit: Visit, { enabled_at, recovery_codes_left, required }: SecondFactorDto): Html {
  const link = visit.link(SECOND_FACTOR);
  if (enabled_at === null)
    return html`<p>${badge('Off', required ? 'bad' : 'neutral')} ${
      required
        ? 'Your organization requires one for your role. Until you set it up, most pages stay closed.'
        : 'Asks for a code from your phone in addition to your password, so a stolen password is not enough.'
    }</p><p><a class="button" href="${link}">Set up a second factor</a></p>`;
  return html`<p>${badge('On', 'good')} Since ${timeOf(enabled_at)}, your sign-in asks for a code of your authenticator app.</p>
<p>${recovery_codes_left === 0 ? badge('No recovery codes left', 'bad') : html`${recovery_codes_left} of 10 recovery codes are left.`}</p>
<p><a class="button quiet" href="${link}">Recovery codes and removal</a></p>`;
}

function sessionsTable(visit: Visit, sessions: readonly MemberSessionDto[]): Html {
  const action: Column<MemberSessionDto> = { label: 'Action', cell: (session) => !session.current && endForm(visit, session) };
  return table<MemberSessionDto>({
    caption: 'Your sessions',
    columns: [
      {
        label: 'Device',
        cell: ({ user_agent, current }) => html`${deviceName(user_agent)}${current && html` ${badge('This one', 'good')}`}`,
      },
      { label: 'Address', cell: ({ address }) => (address === null ? 'Unknown' : addressText(address)) },
      { label: 'Signed in', cell: ({ created_at }) => timeOf(created_at) },
      { label: 'Last used', cell: ({ last_used_at }) => timeOf(last_used_at) },
      ...(sessions.length > 1 ? [action] : []),
    ],
    rows: sessions,
  });
}

function endForm(visit: Visit, { id }: MemberSessionDto): Html {
  const form = visit.form('end_session', { id });
  return form.render({ body: form.hidden('session_id', id), submit: { label: 'End', tone: 'quiet' } });
}

function endOthers(visit: Visit): Html {
  return html`<p></p>${visit.form('end_others').render({
    submit: { label: 'End all other sessions', tone: 'grave', confirm: 'End all your sessions except this one?' },
  })}`;
}
