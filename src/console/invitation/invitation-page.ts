import { html, labelled, page, problemNote, timeText, type FileResponse } from '../../kit/index.js';
import type { OpenedInvitationDto } from '../../platform/account/invitations/invitations.dto.js';
import { roleTitle } from '../../platform/people/roles/role-title.js';
import { SUITE_BRAND } from '../../kit/internal.js';
import { CONSOLE_PATHS } from '../../platform/config/console-paths.js';
import { problemOf, type Failure } from '../calls/failures.js';
import { newPasswordField } from '../calls/password-field.js';

/** Shows who invites whom, and the form that accepts; `name` is the submitted one, if it has to be corrected. */
export function invitationPage(
  token: string,
  invitation: OpenedInvitationDto,
  { status, headers, problems = [], name = invitation.name }: Partial<Failure> & { name?: string } = {},
): FileResponse {
  const { organization, inviter, email, role, expires_at } = invitation;
  const labels = { id: 'name', label: 'Your name', problem: problemOf('name', { problems }) };
  return page({
    isConsole: true,
    title: `Invitation to ${organization}`,
    host: { name: organization, purpose: 'Invitation' },
    status,
    headers,
    body: html`<h1>Invitation to <bdi>${organization}</bdi></h1>
<p class="lead">${inviter ?? 'An administrator'} invites you to become a member.</p>
${problemNote('You are not a member yet', problems)}
<form method="post" class="card" action="${CONSOLE_PATHS.invitation}">
<dl><dt>E-mail</dt><dd>${email}</dd><dt>Role</dt><dd>${roleTitle(role)}</dd>
<dt>Valid until</dt><dd>${timeText(new Date(expires_at))}</dd></dl>
<input type="hidden" name="token" value="${token}">
${labelled(labels, (attributes) => html`<input type="text" name="name" autocomplete="name" required value="${name}"${attributes}>`)}
<input type="text" autocomplete="username" value="${email}" hidden readonly>
${newPasswordField('Password', problemOf('password', { problems }))}
<button>Accept the invitation</button>
</form>
<p class="soft">If you did not expect this invitation, close this page. Nothing happens then.</p>`,
  });
}

export function invalidInvitationPage(): FileResponse {
  return page({
    isConsole: true,
    title: 'This link no longer works',
    host: null,
    status: 410,
    body: html`${SUITE_BRAND}<section class="card"><h1>This link no longer works</h1>
<p>The invitation was accepted already, was replaced or withdrawn, is older than seven days, or its link was not copied completely.</p>
<p>Ask whoever invited you to send it again. If you accepted it, sign in.</p></section>
<p><a class="button" href="${CONSOLE_PATHS.signIn}">Sign in</a></p>`,
  });
}
