import { FileResponse, html, PRIVATE_HEADERS, type Html } from '../../kit/index.js';
import { icon, SUITE_HEAD } from '../../kit/internal.js';
import type { SignedIn } from '../../platform/people/sessions/session-reader.js';
import { referenceAddress } from '../../platform/docs/reference/addresses.js';
import { CONSOLE_SCRIPT_FILE } from './console-script.js';
import { FIND_PATH, SIGN_OUT } from './own-pages.js';
import type { View } from './page-definition.js';
import type { PageTable } from './page-table.js';
import { CONSOLE, type Visit } from './visit.js';

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const HEADERS = { ...PRIVATE_HEADERS, 'Content-Security-Policy': POLICY };

/** A page of the console with everything around its content. `notes` are shown above the content: confirmations or problems. */
export function consolePage(visit: Visit, pages: PageTable, view: View, notes: Html | false = false): FileResponse {
  const { title, above = [], lead, tools, body, status = 200, headers } = view;
  const isTest = (view.mode ?? (visit.page.hasMode === true && visit.mode)) === 'test';
  const { visitor, page } = visit;
  // the response to a form, such as a secret, has no address to which the switch could lead back
  const hasSwitch = page.hasMode === true && (visit.submission === undefined || visit.refused !== undefined);
  const links = above.map(({ path, label }, index) => html`${index > 0 && ' / '}<a href="${visit.link(path)}">${label}</a>`);
  const crumbs = links.length > 0 && html`<p class="crumbs">${links}</p>`;
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - ${visitor.organizationName}</title>
${SUITE_HEAD}
<script src="/scripts/${CONSOLE_SCRIPT_FILE}" defer></script>
</head>
<body class="console suite">
<a class="skip" href="#main">Skip to the content</a>
${sidebar(visit, pages)}
<main id="main" tabindex="-1">
${isTest && html`<p class="strip">Test data</p>`}
<div class="top"><div>${crumbs}
<h1>${title}</h1>${lead !== undefined && html`<p class="soft">${lead}</p>`}</div>
<div class="row">${docsLink(docsOf(visit, pages), title)}${hasSwitch && modeSwitch(visit)}${tools ?? null}</div></div>
${notes}
${body}
</main>
</body>
</html>
`;
  return new FileResponse('text/html', text.markup, { status, headers: { ...HEADERS, ...headers } });
}

/** What explains the page, or its entry in the navigation, or its first operation. */
function docsOf({ page, path, site }: Visit, pages: PageTable): string | undefined {
  const [operation] = page.operations;
  const entry = pages.entryOf(path);
  return page.docs ?? entry?.docs ?? (operation === undefined ? undefined : referenceAddress(site.routes, site.modules, operation));
}

function docsLink(docs: string | undefined, title: string): Html | false {
  return docs !== undefined && html`<a class="docs-link" href="${docs}" aria-label="Docs: ${title}">${icon('book-open')}Docs</a>`;
}

function sidebar(visit: Visit, pages: PageTable): Html {
  const { visitor } = visit;
  const entry = pages.entryOf(visit.path);
  const groups = pages.navigationOf(visit).map(({ group, pages: entries }) => {
    const links = entries.map((page) => {
      const current = page === entry && html` aria-current="${page.path === visit.path ? 'page' : 'true'}"`;
      return html`<li><a href="${visit.link(page.path)}"${current}>${icon(page.icon ?? 'blocks')}${page.title}</a></li>`;
    });
    return html`${group !== '' && html`<h2>${group}</h2>`}<ul>${links}${group === '' && DOCUMENTATION}</ul>`;
  });
  return html`<header class="side">
<a class="brand" href="${CONSOLE}"><span class="crest" aria-hidden="true">${initialOf(visitor.organizationName)}</span>
<b><bdi>${visitor.organizationName}</bdi></b></a>
<details class="menu"><summary>${icon('chevron-right')}Menu</summary>
${pages.at(FIND_PATH) !== undefined && FIND}
<nav aria-label="Console">${groups}</nav>
${accountOf(visitor)}
</details>
</header>`;
}

const DOCUMENTATION = html`<li><a href="/docs">${icon('book-open')}Documentation</a></li>`;

const FIND = html`<form class="find group" role="search" action="${CONSOLE}${FIND_PATH}">
<input type="search" name="q" aria-label="Find an id or the end of a key"
placeholder="Find an id" autocomplete="off" required maxlength="200"></form>`;

function accountOf({ member, csrfToken }: SignedIn): Html {
  return html`<div class="who"><p><b><bdi>${member.name}</bdi></b><br><span class="soft">${member.email}</span></p>
<form method="post" action="${CONSOLE}${SIGN_OUT}"><input type="hidden" name="csrf" value="${csrfToken}">
<input type="hidden" name="action" value="leave"><button class="quiet">Sign out</button></form></div>`;
}

function modeSwitch(visit: Visit): Html {
  const modes = (['live', 'test'] as const).map((mode) => {
    const current = mode === visit.mode && html` aria-current="true"`;
    // a cursor is valid only for its mode
    const address = visit.here({ mode: mode === 'live' ? null : mode, cursor: null, trail: null });
    return html`<a href="${address}"${current}>${mode === 'live' ? 'Live' : 'Test'}</a>`;
  });
  return html`<div class="switch" role="group" aria-label="Data">${modes}</div>`;
}

function initialOf(name: string): string {
  return /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '·';
}
