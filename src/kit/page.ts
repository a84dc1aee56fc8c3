import { randomBytes } from 'node:crypto';
import { FileResponse } from './file-response.js';
import { html, Html } from './html.js';
import { hueOf, PAGE_STYLE } from './page-style.js';
import type { Stylesheet } from './stylesheets.js';

export interface PageContent {
  /** The title of the browser tab; the heading of the page is part of the body. */
  title: string;
  /** Whose page it is, and what it is for in a few words, such as "Appointments"; null for pages of the suite itself. */
  host: PageHost | null;
  /** The content of `main`. */
  body: Html;
  /** Style that only this page needs; part of the page. */
  style?: string;
  /** Style that only pages of this kind need; a file of its own. */
  stylesheet?: Stylesheet;
  /** Source of a script; the page must also work without it. */
  script?: string;
  /** 200 by default. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
}

export interface PageHost {
  /** The organization's name. */
  name: string;
  place: string;
}

/**
 * Headers of every public page and file: the address may contain a token, and the content is private to its reader. Pages also
 * contain tokens beside what visitors entered, so they must not be compressed (BREACH).
 */
export const PRIVATE_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store, no-transform',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

const SUITE_HUE = 255;

/** A page for visitors: responsive, with light and dark mode, and without any request to another host. */
export function page({ title, host, body, style = '', stylesheet, script, status, headers }: PageContent): FileResponse {
  const nonce = randomBytes(16).toString('base64');
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}${host !== null && ` - ${host.name}`}</title>
${styleLink(PAGE_STYLE)}${stylesheet !== undefined && styleLink(stylesheet)}
<style nonce="${nonce}">:root { --hue: ${host === null ? SUITE_HUE : hueOf(host.name)}; }${new Html(style)}</style>
</head>
<body>
${host !== null && masthead(host)}
<main>
${body}
</main>
${
  host !== null &&
  html`<footer class="imprint"><p>This is a page of <bdi>${host.name}</bdi>.
It loads nothing from other sites and does not track you.</p></footer>`
}${
    script !== undefined &&
    html`
<script nonce="${nonce}">${new Html(script)}</script>`
  }
</body>
</html>
`;
  const scripts = script === undefined ? '' : `script-src 'nonce-${nonce}'; `;
  const policy =
    `default-src 'none'; style-src 'self' 'nonce-${nonce}'; ${scripts}` + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
  return new FileResponse('text/html', text.markup, {
    status,
    headers: { ...PRIVATE_HEADERS, 'Content-Security-Policy': policy, ...headers },
  });
}

function styleLink({ file }: Stylesheet): Html {
  return html`<link rel="stylesheet" href="/styles/${file}">`;
}

function masthead({ name, place }: PageHost): Html {
  const initial = /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '·';
  return html`<header class="masthead"><span class="crest" aria-hidden="true">${initial}</span>
<p><b><bdi>${name}</bdi></b> <span>${place}</span></p></header>`;
}

/** Redirects after a form, so that a reload does not submit the form again. */
export function redirect(location: string, headers: Readonly<Record<string, string>> = {}): FileResponse {
  return new FileResponse('text/html', '', { status: 303, headers: { ...PRIVATE_HEADERS, ...headers, Location: location } });
}
