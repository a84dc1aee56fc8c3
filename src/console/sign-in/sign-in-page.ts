import { html, labelled, page, problemNote, statusNote, type FileResponse, type Html } from '../../kit/index.js';
import { SUITE_BRAND } from '../../kit/internal.js';
import { CONSOLE_PATHS } from '../../platform/config/console-paths.js';
import { CONSENT_PATH } from '../../platform/oauth/server/oauth-server.js';

/** What led here. */
const NOTICES: Readonly<Record<string, string>> = {
  password_set: 'Your new password is set. Sign in with it.',
  invitation_accepted: 'You are a member now. Sign in with your e-mail address and the password you chose.',
};

export interface SignInView {
  returnTo: string;
  /** Binds the form to this browser, so that an attacker cannot sign the visitor in to the attacker's account. */
  formToken: string;
  cookie: string;
  /** Whether there is no account yet. */
  isEmpty: boolean;
  email?: string;
  /** The token of the first step, after a correct password: the page then asks for the code of the second factor. */
  secondFactorToken?: string;
  problem?: string;
  status?: number;
  headers?: Record<string, string>;
  /** A key of `NOTICES`; others are ignored. */
  notice?: string;
}

/** Works with password managers and without a script. */
export function signInPage(view: SignInView): FileResponse {
  const { returnTo, formToken, cookie, isEmpty, secondFactorToken, problem, status, headers, notice = '' } = view;
  const asksCode = secondFactorToken !== undefined;
  return page({
    isConsole: true,
    title: 'Sign in',
    host: null,
    status,
    headers: { 'Set-Cookie': cookie, ...headers },
    body: html`${SUITE_BRAND}<h1>Sign in</h1>
${Object.hasOwn(NOTICES, notice) && statusNote(NOTICES[notice])}
${returnTo.startsWith(`${CONSENT_PATH}/`) && html`<p class="lead">An app asks for access. Sign in to see what it asks for.</p>`}
${isEmpty && html`<div class="note"><p>There is no organization yet. Create one with <code>npm run org -- create</code>.</p></div>`}
${problem !== undefined && problemNote('You are not signed in', [{ field: asksCode ? 'code' : 'email', text: problem }])}
<form method="post" class="card" action="${CONSOLE_PATHS.signIn}">
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="return_to" value="${returnTo}">
${asksCode ? codeField(secondFactorToken) : passwordFields(view)}
<button>Sign in</button>
</form>
${!asksCode && html`<p><a href="${CONSOLE_PATHS.reset}">Forgot your password?</a></p>`}`,
  });
}

function passwordFields({ email }: SignInView): Html {
  return html`${labelled({ id: 'email', label: 'E-mail address' }, (attributes) => input('email', 'username', attributes, email))}
${labelled({ id: 'password', label: 'Password' }, (attributes) => input('password', 'current-password', attributes))}`;
}

function codeField(token: string): Html {
  const labels = { id: 'code', label: 'Code', hint: 'From your authenticator app, or one of your recovery codes.' };
  return html`<input type="hidden" name="second_factor_token" value="${token}">
${labelled(labels, (attributes) => input('code', 'one-time-code', attributes))}`;
}

function input(name: 'email' | 'password' | 'code', autocomplete: string, attributes: Html, value = ''): Html {
  const type = name === 'code' ? 'text' : name;
  return html`<input type="${type}" name="${name}" autocomplete="${autocomplete}" required value="${value}"${attributes}>`;
}
