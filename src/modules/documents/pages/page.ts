import { randomBytes } from 'node:crypto';
import { FileAnswer } from '../../../kit/index.js';
import { html, Html } from './html.js';
import { STYLE } from './page-style.js';

export interface PageContent {
  /** Of the browser's tab; the page's own heading stands in the body. */
  title: string;
  /** What stands inside `main`. */
  body: Html;
  /** Source of a script; the page must do without where none runs. */
  script?: string;
  /** 200 unless given. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
}

/** What every public page and file is sent with: its address may hold a token, and its content is for its reader alone. */
export const PRIVATE_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

/** A page for somebody who is no member: plain, for small screens too, in light and dark; it asks nobody else for anything. */
export function page({ title, body, script, status, headers }: PageContent): FileAnswer {
  const nonce = randomBytes(16).toString('base64');
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style nonce="${nonce}">${new Html(STYLE)}</style>
</head>
<body>
<main>
${body}
</main>${
    script !== undefined &&
    html`
<script nonce="${nonce}">${new Html(script)}</script>`
  }
</body>
</html>
`;
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; ${script === undefined ? '' : `script-src 'nonce-${nonce}'; `}form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
  return new FileAnswer('text/html', text.markup, {
    status,
    headers: { ...PRIVATE_HEADERS, 'Content-Security-Policy': policy, ...headers },
  });
}

/** Sends a browser on after a form, so that reloading does not send the form again. */
export function redirect(location: string, headers: Readonly<Record<string, string>> = {}): FileAnswer {
  return new FileAnswer('text/html', '', { status: 303, headers: { ...PRIVATE_HEADERS, ...headers, Location: location } });
}

/** What went wrong with a form that was sent: said aloud, and the first thing that has the focus. */
export function problemNote(heading: string, problems: readonly { field: string | null; text: string }[]): Html | false {
  return (
    problems.length > 0 &&
    html`<div class="note problem" role="alert" tabindex="-1" autofocus><h2>${heading}</h2><ul>${problems.map(({ field, text }) => html`<li>${field === null ? text : html`<a href="#${field}">${text}</a>`}</li>`)}</ul></div>`
  );
}

/** What was done, said where the reader is. */
export function statusNote(text: string | Html): Html {
  return html`<div class="note done" role="status" tabindex="-1" autofocus>${text}</div>`;
}
