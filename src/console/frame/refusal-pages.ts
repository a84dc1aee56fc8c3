import { html, labelled, problemNote, type Html } from '../../kit/index.js';
import { messageOf, waitText } from '../calls/failures.js';
import { ACCOUNT } from './own-pages.js';
import type { View } from './page-definition.js';
import type { AddressProblem } from './parameters.js';
import type { CallFailed } from './refusals.js';
import { CONSOLE, type Submission, type Visit } from './visit.js';

/** Fields of the frame that must be typed again. */
const OWN_FIELDS = new Set(['confirm_password', 'confirm_code']);

/** The error page for a missing permission, with the members who can grant it. */
export function forbiddenView(visit: Visit, permissions: readonly string[], granters: readonly string[]): View {
  const names = permissions.map((name) => html`<li><code>${name}</code>: ${visit.site.permissions.titleOf(name)}</li>`);
  return {
    title: 'Your role does not give access to this page',
    status: 403,
    body: html`<p>It needs ${permissions.length > 1 ? 'one of these permissions' : 'this permission'}:</p><ul>${names}</ul>
<p>${
      granters.length > 0
        ? html`These members can give it to you: ${granters.map((name, index) => html`${index > 0 && ', '}<bdi>${name}</bdi>`)}.`
        : html`Whoever manages the members of your organization can give it to you.`
    }</p><p><a class="button" href="${CONSOLE}">Go to overview</a></p>`,
  };
}

/** The other mode may have what the address names: it stands in the address, which people copy. */
export function notFoundView(visit: Visit): View {
  const other = visit.mode === 'test' ? 'live' : 'test';
  const address = visit.here({ mode: other === 'live' ? null : other, cursor: null, trail: null });
  return {
    title: 'There is nothing here',
    status: 404,
    body: html`<p>The page at this address was deleted, was kept for a limited time only, or never existed.</p>
${visit.page.hasMode === true && html`<p>You are looking at ${visit.mode} data. <a href="${address}">Look in ${other} data</a></p>`}
<p><a class="button" href="${CONSOLE}">Go to overview</a></p>`,
  };
}

/** The error page for an unknown form, such as one of an earlier release. */
export function noFormView(): View {
  return {
    title: 'This page does not accept the form',
    status: 405,
    headers: { Allow: 'GET, HEAD' },
    body: html`<p>Nothing was changed. The form may be one of an earlier release: open its page again.</p>
<p><a class="button" href="${CONSOLE}">Go to overview</a></p>`,
  };
}

export function secondFactorView(visit: Visit): View {
  return {
    title: 'Set up a second factor first',
    status: 403,
    body: html`<p>Your organization requires one of everybody whose role manages keys, members or roles.</p>
<p><a class="button" href="${visit.link(ACCOUNT)}">Set up a second factor</a></p>`,
  };
}

/** The error page for too many requests or an outage. A form that was sent is kept and can be sent again unchanged. */
export function laterView({ message, status, after, reference, submission, visit }: Later): View {
  const again = submission
    ? html`<form method="post" action="${visit.here()}" class="narrow">
${keptFields(visit, submission)}<button>Send it again</button></form>`
    : html`<p><a class="button" href="${visit.here()}">Try again</a></p>`;
  return {
    title: status === 429 ? 'Too many requests' : 'Please try again',
    status,
    headers: after === null ? {} : { 'Retry-After': after },
    body: html`<p>${message}${after !== null && ` ${waitText(Number(after))}`}${
      submission !== undefined && html` What you entered is kept on this page.`
    }</p>
${again}${reference !== null && html`<p class="hint">Reference: ${reference}</p>`}`,
  };
}

/** The error page for an invalid parameter in a link, with a link to the page without it. */
export function badAddressView(visit: Visit, problems: readonly AddressProblem[]): View {
  const names = problems.flatMap(({ name }) => name ?? []);
  const without = visit.here(Object.fromEntries([...names, 'cursor', 'trail'].map((name) => [name, null])));
  return {
    title: 'This address is not valid',
    status: 400,
    body: html`${problemNote(
      'What it asks for cannot be shown',
      problems.map(({ text }) => ({ field: null, text })),
    )}
<p><a class="button" href="${names.length === problems.length ? without : visit.link(visit.path)}">Show the page without it</a></p>`,
  };
}

export interface Later {
  message: string;
  status: number;
  /** Seconds. */
  after: string | null;
  reference: string | null;
  submission: Submission | undefined;
  visit: Visit;
}

/** Asks for the password before a form that was sent long after the sign-in takes effect. It keeps the values that were sent. */
export function confirmView(visit: Visit, submission: Submission, failed?: CallFailed): View {
  const { status = 403, error } = failed ?? {};
  const wrong = error?.param ?? 'password';
  const text = failed ? messageOf(failed.response) : '';
  const problem = (field: string) => (failed && wrong === field ? text : undefined);
  const password = labelled(
    { id: 'confirm_password', label: 'Your password', problem: problem('password') },
    (linked) => html`<input type="password" name="confirm_password" autocomplete="current-password" required${linked}>`,
  );
  const code = labelled(
    { id: 'confirm_code', label: 'Code', hint: 'From your authenticator app, or one of your recovery codes.', problem: problem('code') },
    (linked) => html`<input type="text" name="confirm_code" autocomplete="one-time-code" required${linked}>`,
  );
  const wrongs = failed ? [{ field: `confirm_${wrong}`, text }] : [];
  return {
    title: 'Confirm that it is you',
    lead: 'You signed in more than two hours ago. Nothing was changed yet.',
    status,
    body: html`${problemNote('Not confirmed', wrongs)}
<form method="post" action="${visit.here()}" class="narrow">${keptFields(visit, submission)}
<input type="text" autocomplete="username" value="${visit.visitor.member.email}" hidden readonly>
${password}${visit.visitor.member.second_factor_at !== null && code}
<div class="row"><button>Confirm and continue</button><a class="button quiet" href="${visit.here()}">Cancel</a></div></form>`,
  };
}

/**
 * The values that were sent, except passwords. The CSRF token is also the one that was sent: a form of another site that was rejected
 * before its token was checked must not get a valid one.
 */
function keptFields({ page }: Visit, { action, values }: Submission): Html {
  const passwords = page.actions?.[action]?.passwords ?? {};
  const kept = values.entries().filter(([name]) => !OWN_FIELDS.has(name) && !Object.hasOwn(passwords, name));
  const again = Object.entries(passwords).map(([name, { label, autocomplete }]) =>
    labelled(
      { id: name, label, hint: 'Type it again.' },
      (linked) => html`<input type="password" name="${name}" autocomplete="${autocomplete}" required${linked}>`,
    ),
  );
  return html`${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${again}`;
}
