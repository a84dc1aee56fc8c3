import { html, labelled, page, problemNote, type FileResponse } from '../../kit/index.js';
import { SUITE_BRAND } from '../../kit/internal.js';
import type { OpenedPasswordResetDto } from '../../platform/account/passwords/passwords.dto.js';
import { CONSOLE_PATHS } from '../../platform/config/console-paths.js';
import { problemOf, type Failure } from '../calls/failures.js';
import { newPasswordField } from '../calls/password-field.js';

const BACK = html`<p><a href="${CONSOLE_PATHS.signIn}">Back to sign-in</a></p>`;

/** Asks for the e-mail address to which a link is mailed. */
export function requestPage({ status, headers, problems = [], email = '' }: Partial<Failure> & { email?: string }): FileResponse {
  const labels = { id: 'email', label: 'E-mail address', problem: problemOf('email', { problems }) };
  return page({
    isConsole: true,
    title: 'Forgotten password',
    host: null,
    status,
    headers,
    body: html`${SUITE_BRAND}<h1>Forgotten password</h1>
<p class="lead">We send you a link with which you set a new one.</p>
${problemNote('No link was sent', problems)}
<form method="post" class="card" action="${CONSOLE_PATHS.reset}">
${labelled(labels, (attributes) => html`<input type="email" name="email" autocomplete="username" required value="${email}"${attributes}>`)}
<button>Send the link</button>
</form>
${BACK}`,
  });
}

/** The same for known and unknown addresses. */
export function requestedPage(): FileResponse {
  return page({
    isConsole: true,
    title: 'Check your mail',
    host: null,
    body: html`${SUITE_BRAND}<h1>Check your mail</h1>
<div class="note done" role="status">
<p>If an active account has this address, a link that sets a new password is on its way. It works once, within 60 minutes.</p></div>
<p>Nothing arrived? Look among unwanted mail and <a href="${CONSOLE_PATHS.reset}">check the address</a>. An account gets at most three
links in an hour. Whoever manages your organization's members can give you a new password, too.</p>
${BACK}`,
  });
}

export function withoutMailServerPage(): FileResponse {
  return page({
    isConsole: true,
    title: 'Forgotten password',
    host: null,
    body: html`${SUITE_BRAND}<h1>Forgotten password</h1>
<div class="note"><p>No mail server is configured here, so no link can be sent to you.</p></div>
<p>Ask someone who manages your organization's members for a new password. Whoever operates the suite can also run
<code>npm run org -- reset-password</code> with your e-mail address.</p>
${BACK}`,
  });
}

/** Asks for the new password. */
export function newPasswordPage(
  token: string,
  { email, organization }: OpenedPasswordResetDto,
  failure: Partial<Failure> = {},
): FileResponse {
  const { status, headers, problems = [] } = failure;
  return page({
    isConsole: true,
    title: 'New password',
    host: null,
    status,
    headers,
    body: html`${SUITE_BRAND}<h1>New password</h1>
<p class="lead">For the account ${email} at <bdi>${organization}</bdi>. All its sessions end.</p>
${problemNote('The password was not set', problems)}
<form method="post" class="card" action="${CONSOLE_PATHS.reset}">
<input type="hidden" name="token" value="${token}">
<input type="text" autocomplete="username" value="${email}" hidden readonly>
${newPasswordField('New password', problemOf('password', failure))}
<button>Set the password</button>
</form>`,
  });
}

export function invalidResetPage(): FileResponse {
  return page({
    isConsole: true,
    title: 'This link no longer works',
    host: null,
    status: 410,
    body: html`<section class="card"><h1>This link no longer works</h1>
<p>It was used already, was replaced by another change of the password, is older than 60 minutes, or was not copied completely.</p>
<p><a class="button" href="${CONSOLE_PATHS.reset}">Ask for a new link</a></p></section>
${BACK}`,
  });
}
