import { html, labelled, page, problemNote, type FileResponse, type Html } from '../../../kit/index.js';
import { CONSENT_PATH } from '../server/oauth-server.js';

export const SIGN_IN_PATH = '/console/sign-in';

export interface SignInView {
  returnTo: string;
  /** Ties the form to this browser: nobody else can make it sign in to their own account. */
  formToken: string;
  cookie: string;
  /** There is nobody yet who could sign in. */
  isEmpty: boolean;
  email?: string;
  /** Of the first step, whose password was right: the page asks for the code of the second factor. */
  secondFactorToken?: string;
  problem?: string;
  status?: number;
  retryAfter?: string;
}

/** Works with password managers and without a script. */
export function signInPage(view: SignInView): FileResponse {
  const { returnTo, formToken, cookie, isEmpty, secondFactorToken, problem, status, retryAfter } = view;
  const asksCode = secondFactorToken !== undefined;
  return page({
    title: 'Sign in',
    host: null,
    status,
    headers: { 'Set-Cookie': cookie, ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }) },
    body: html`<h1>Sign in</h1>
${returnTo.startsWith(`${CONSENT_PATH}/`) && html`<p class="lead">An app asks for access. Sign in to see what it asks for.</p>`}
${isEmpty && html`<div class="note"><p>There is no organization yet. Create one with <code>npm run org -- create</code>.</p></div>`}
${problem !== undefined && problemNote('You are not signed in', [{ field: asksCode ? 'code' : 'email', text: problem }])}
<form method="post" class="card" action="${SIGN_IN_PATH}">
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="return_to" value="${returnTo}">
${asksCode ? codeField(secondFactorToken) : passwordFields(view)}
<button>Sign in</button>
</form>`,
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
