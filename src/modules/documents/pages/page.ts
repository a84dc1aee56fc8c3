import { randomBytes } from 'node:crypto';
import { FileResponse } from '../../../kit/index.js';
import { html, Html } from './html.js';
import { STYLE } from './page-style.js';

export interface PageContent {
  /** The title of the browser tab; the heading of the page is part of the body. */
  title: string;
  /** The content of `main`. */
  body: Html;
  /** Source of a script; the page must also work without it. */
  script?: string;
  /** 200 by default. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
}

/** Headers of every public page and file: the address may contain a token, and the content is private to its reader. */
export const PRIVATE_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

/** A page for visitors: plain, responsive, with light and dark mode, and without any request to another host. */
export function page({ title, body, script, status, headers }: PageContent): FileResponse {
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
  const scripts = script === undefined ? '' : `script-src 'nonce-${nonce}'; `;
  const policy =
    `default-src 'none'; style-src 'nonce-${nonce}'; ${scripts}` + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
  return new FileResponse('text/html', text.markup, {
    status,
    headers: { ...PRIVATE_HEADERS, 'Content-Security-Policy': policy, ...headers },
  });
}

/** Redirects after a form, so that a reload does not submit the form again. */
export function redirect(location: string, headers: Readonly<Record<string, string>> = {}): FileResponse {
  return new FileResponse('text/html', '', { status: 303, headers: { ...PRIVATE_HEADERS, ...headers, Location: location } });
}

/** The errors of a submitted form: announced by screen readers, and focused first. */
export function problemNote(heading: string, problems: readonly { field: string | null; text: string }[]): Html | false {
  if (problems.length === 0) return false;
  const items = problems.map(({ field, text }) => html`<li>${field === null ? text : html`<a href="#${field}">${text}</a>`}</li>`);
  return html`<div class="note problem" role="alert" tabindex="-1" autofocus><h2>${heading}</h2><ul>${items}</ul></div>`;
}

/** A notice of what was done, announced by screen readers. */
export function statusNote(text: string | Html): Html {
  return html`<div class="note done" role="status" tabindex="-1" autofocus>${text}</div>`;
}
