import { html, page, type DomainError, type FileResponse } from '../../../kit/index.js';
import { SUITE_BRAND } from '../../../kit/internal.js';
import { CONSOLE_PATHS } from '../../config/console-paths.js';

const HEADINGS: Readonly<Record<number, string>> = {
  404: 'There is nothing here',
  410: 'This link no longer works',
  429: 'Too many requests',
};

const STEPS: Readonly<Record<number, string>> = {
  404: 'Check that the address is complete. If somebody sent it to you, ask them for a new one.',
  410: 'Ask whoever sent it to you for a new one.',
  429: 'Wait a moment, then load this page again.',
};

/** The HTML page of an error, for a browser. `inConsole`: a page of the console was asked for, so its reader is a member. */
export function errorPage({ spec: { status }, message }: DomainError, requestId: string, inConsole = false): FileResponse {
  const heading = HEADINGS[status] ?? (status >= 500 ? 'Something went wrong' : 'That did not work');
  const step =
    STEPS[status] ??
    (status >= 500 ? 'Try again in a few minutes. If it happens again, send us the reference below.' : 'Go back, and try it again.');
  return page({
    isConsole: true,
    title: heading,
    host: null,
    status,
    style: 'code { display: block; font-size: .75rem; }',
    body: html`${SUITE_BRAND}<section class="card"><h1>${heading}</h1><p>${message}</p>
<p>${step}</p><p class="hint">Reference: <code>${requestId}</code></p></section>
${
  inConsole
    ? html`<p><a class="button" href="${CONSOLE_PATHS.start}">Go to overview</a></p>`
    : html`<p class="soft">Are you a member? <a href="${CONSOLE_PATHS.start}">Go to the console</a></p>`
}`,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
  });
}
