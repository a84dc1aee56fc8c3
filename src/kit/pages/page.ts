import { randomBytes } from 'node:crypto';
import type { PageBrand } from '../services/brands.js';
import { brandTone } from './brand-color.js';
import { FileResponse } from '../routes/file-response.js';
import { html, Html } from './html.js';
import { PAGE_HEAD, SUITE_HEAD } from './suite-head.js';
import type { Stylesheet } from './stylesheets.js';

export interface PageContent {
  /** The title of the browser tab; the heading of the page is part of the body. */
  title: string;
  /** BCP 47; English by default. The frame has texts in English, German, French and Spanish. */
  language?: string;
  /** Whose page it is; null for pages of the suite itself. */
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
  /** The origins whose pages may show this page in a frame; none by default. */
  frameAncestors?: readonly string[];
  /** Whether the page shows pictures of this server and its script may request more of it. Default false. */
  loads?: boolean;
  /** Whether it looks like the console, in place of the organization's own look. Default false. */
  isConsole?: boolean;
}

interface PageHost {
  /** The organization's name. */
  name: string;
  /** What the page is for, in a few words, such as "Appointments". */
  purpose: string;
  brand?: PageBrand | null;
}

/**
 * Headers of every public page and file: the address may contain a token, and the content is private to its reader. Pages also
 * contain tokens beside what visitors entered, so they must not be compressed (BREACH).
 *
 * @example
 * ```ts
 * import { FileResponse, PRIVATE_HEADERS } from 'work-suite/kit';
 *
 * export const ticket = (pdf: Buffer) => new FileResponse('application/pdf', pdf, { filename: 'ticket.pdf', headers: PRIVATE_HEADERS });
 * ```
 */
export const PRIVATE_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store, no-transform',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

/**
 * A page for visitors: responsive, with light and dark mode, and without any request to another host.
 *
 * @example
 * ```ts
 * import { html, page } from 'work-suite/kit';
 *
 * export const thanks = () => page({ title: 'Thank you', host: { name: 'Acme', purpose: 'Trips' }, body: html`<h1>Thank you</h1>` });
 * ```
 */
export function page(content: PageContent): FileResponse {
  const { title, language = 'en', host, body, style = '', stylesheet, script, status, headers } = content;
  const { frameAncestors = [], loads = false, isConsole = false } = content;
  const nonce = randomBytes(16).toString('base64');
  const text = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}${host !== null && ` - ${host.name}`}</title>
${isConsole ? SUITE_HEAD : PAGE_HEAD}${stylesheet !== undefined && styleLink(stylesheet)}
<style nonce="${nonce}">${new Html((host?.brand ? brandStyle(host.brand) : '') + style)}</style>
</head>
<body${isConsole && html` class="suite"`}>
${host !== null && masthead(host)}
<main>
${body}
</main>
${host !== null && html`<footer class="imprint"><p>${imprint(language, html`<bdi>${host.name}</bdi>`)}</p></footer>`}${
    script !== undefined &&
    html`
<script nonce="${nonce}">${new Html(script)}</script>`
  }
</body>
</html>
`;
  const scripts = script === undefined ? '' : `script-src 'nonce-${nonce}'; `;
  // quotes in texts are escaped, so only a picture that is part of the page looks like this
  const embedded = text.markup.includes(' src="data:image/') ? ' data:' : '';
  const images = loads || host?.brand?.logo || embedded ? `img-src 'self'${embedded}; ` : '';
  const requests = loads ? "connect-src 'self'; " : '';
  const policy =
    `default-src 'none'; style-src 'self' 'nonce-${nonce}'; ${images}${requests}font-src 'self'; ${scripts}` +
    `form-action 'self'; base-uri 'none'; frame-ancestors ${frameAncestors.join(' ') || "'none'"}`;
  return new FileResponse('text/html', text.markup, {
    status,
    headers: { ...PRIVATE_HEADERS, 'Content-Security-Policy': policy, ...headers },
  });
}

function styleLink({ file }: Stylesheet): Html {
  return html`<link rel="stylesheet" href="/styles/${file}">`;
}

/** The style of an organization's brand; the page's own accents take its hue, and no more chroma than it has. */
function brandStyle({ color, logo }: PageBrand): string {
  const logoStyle = logo ? '.logo { flex: none; height: 2.75rem; max-width: 11rem; object-fit: contain; border-radius: .375rem; }' : '';
  if (color === null) return logoStyle;
  const { hue, chroma, onColor, isPale, isDim } = brandTone(color);
  const shown = (isLost: boolean) => (isLost ? 'var(--accent)' : color);
  const accents = (tint: number, accent: number, deep: number) =>
    `--tint: oklch(${tint}% ${chroma / 4} ${hue}); --accent: oklch(${accent}% ${chroma} ${hue}); --deep: oklch(${deep}% ${chroma} ${hue});`;
  return `:root { --hue: ${hue}; --brand: ${shown(isPale)}; ${accents(94.5, 43, 36)} }
@media (prefers-color-scheme: dark) { :root { --brand: ${shown(isDim)}; ${accents(28, 80, 87)} } }
.crest { background: ${color}; color: ${onColor}; box-shadow: 0 0 0 1px var(--line); }${logoStyle}`;
}

function imprint(language: string, name: Html): Html {
  const base = language.split('-')[0];
  if (base === 'de') return html`Dies ist eine Seite von ${name}. Sie lädt nichts von anderen Seiten und verfolgt Sie nicht.`;
  if (base === 'fr') return html`Ceci est une page de ${name}. Elle ne charge rien d’autres sites et ne vous suit pas.`;
  if (base === 'es') return html`Esta es una página de ${name}. No carga nada de otros sitios ni le rastrea.`;
  return html`This is a page of ${name}. It loads nothing from other sites and does not track you.`;
}

function masthead({ name, purpose, brand }: PageHost): Html {
  if (brand?.logo)
    return html`<header class="masthead"><img class="logo" src="${brand.logo}" alt="">
<p><b><bdi>${name}</bdi></b> <span>${purpose}</span></p></header>`;
  const initial = /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '·';
  return html`<header class="masthead"><span class="crest" aria-hidden="true">${initial}</span>
<p><b><bdi>${name}</bdi></b> <span>${purpose}</span></p></header>`;
}

/**
 * Redirects after a form, so that a reload does not submit the form again.
 *
 * @example
 * ```ts
 * import { redirect } from 'work-suite/kit';
 *
 * export const afterSaving = (token: string) => redirect(`/trips/${token}?saved`);
 * ```
 */
export function redirect(location: string, headers: Readonly<Record<string, string>> = {}): FileResponse {
  return new FileResponse('text/html', '', { status: 303, headers: { ...PRIVATE_HEADERS, ...headers, Location: location } });
}
