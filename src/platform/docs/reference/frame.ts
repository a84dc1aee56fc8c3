import { html, type Html } from '../../../kit/index.js';
import { icon, SUITE_HEAD } from '../../../kit/internal.js';
import { DOCS_SCRIPT_FILE } from './docs-script.js';
import { DOCS_STYLE } from './docs-style.js';
import { isForMembers, REFERENCE } from './addresses.js';
import type { DocsPage } from './pages.js';
import { LANGUAGES } from './samples.js';

/** Nothing but the suite's own files, and requests to the suite, which "Try it" and the search send. */
export const DOCS_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A page of the documentation with everything around its content. */
export function docsPage(page: DocsPage, pages: readonly DocsPage[]): string {
  const { title, group, path } = page;
  const at = pages.indexOf(page);
  const step = (other: DocsPage | undefined, label: string, rel: string) =>
    other && html`<a href="${other.path}" rel="${rel}"><span>${label}</span> ${other.title}</a>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}${group !== '' && group !== title && ` - ${group}`} - Work suite</title>
${SUITE_HEAD}
<link rel="stylesheet" href="/styles/${DOCS_STYLE.file}">
${path !== '' && html`<link rel="alternate" type="text/markdown" href="${path}.md">`}
<script src="/docs/assets/${DOCS_SCRIPT_FILE}" type="module"></script>
</head>
<body class="docs suite">
<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><a class="brand" href="/docs"><span class="crest" aria-hidden="true">W</span><b>Work suite</b> <span>Docs</span></a>
<div class="search" hidden data-script>${icon('search')}<input type="search" id="search" aria-label="Search the documentation"
placeholder="Search the docs"
autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found"><kbd>/</kbd><ul id="found" role="listbox"
aria-label="Results" hidden></ul></div>
<a class="to-console" href="/console">Console${icon('arrow-right')}</a></header>
${navigation(page, pages)}
<main id="main" tabindex="-1">
${
  page.isStart !== true &&
  html`<div class="head"><div>${crumbs(page, pages)}<h1>${title}</h1></div>
${page.hasSamples && languages()}</div>`
}
${contents(page)}
${page.html()}
${
  at >= 0 &&
  html`<nav class="steps" aria-label="Pages">${step(pages[at - 1], 'Previous', 'prev') ?? null}${
    step(pages[at + 1], 'Next', 'next') ?? null
  }</nav>`
}
${path !== '' && html`<p class="soft source"><a href="${path}.md">This page as Markdown</a></p>`}
</main>
</body>
</html>
`.markup;
}

/** The group of the page, which leads to its overview. */
function crumbs(page: DocsPage, pages: readonly DocsPage[]): Html | false {
  const { group } = page;
  const overview = pages.find((other) => other.group === group && other.title === group);
  if (group === '' || overview === page) return false;
  return html`<p class="crumbs">${overview ? html`<a href="${overview.path}">${group}</a>` : group}</p>`;
}

function contents({ isText, parts }: DocsPage): Html | false {
  if (isText !== true || parts.length < 2) return false;
  const links = parts.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`);
  return html`<nav class="toc" aria-label="On this page"><h2>On this page</h2><ul>${links}</ul></nav>`;
}

/** Radio buttons choose by the stylesheet alone which samples are shown. */
function languages(): Html {
  const choices = Object.entries(LANGUAGES).map(
    ([name, label], index) =>
      html`<span><input type="radio" name="language" id="in-${name}" value="${name}"${index === 0 && html` checked`}>
<label for="in-${name}">${label}</label></span>`,
  );
  return html`<fieldset class="languages"><legend class="away">Language of the samples</legend>${choices}</fieldset>`;
}

function navigation(page: DocsPage, pages: readonly DocsPage[]): Html {
  const groups = Map.groupBy(
    pages.filter(({ group }) => group !== ''),
    ({ group }) => group,
  );
  const partLink = ({ id, title, method }: DocsPage['parts'][number]) => {
    const verb = method !== undefined && html` <b class="verb ${method.toLowerCase()}">${method === 'DELETE' ? 'DEL' : method}</b>`;
    return html`<li><a href="#${id}">${title}${verb}</a></li>`;
  };
  const link = (one: DocsPage, isFirst: boolean) => {
    const isCurrent = one === page;
    const parts = isCurrent && one.isText !== true && one.parts.length > 1 ? one.parts : [];
    const title = isFirst && one.title === one.group ? 'Overview' : one.title.replace(/, for members$/, '');
    return html`<li><a href="${one.path}"${isCurrent && html` aria-current="page"`}>${title}</a>${
      parts.length > 0 && html`<ul class="parts">${parts.map(partLink)}</ul>`
    }</li>`;
  };
  const firstModule = pages.find(({ path }) => path.startsWith(REFERENCE))?.group;
  const sections = [...groups].map(([name, own]) => {
    const [ofMembers, ofKeys] = [own.filter((one) => isForMembers(one.path)), own.filter((one) => !isForMembers(one.path))];
    const links = [
      ...ofKeys.map((one, index) => link(one, index === 0)),
      ofMembers.length > 0 && html`<li class="kind">For members</li>`,
      ...ofMembers.map((one) => link(one, false)),
    ];
    const [{ path }] = own;
    const isFirst = path.startsWith(REFERENCE) && name === firstModule;
    return html`${isFirst && html`<h2>API reference</h2>`}${path === '/docs/events' && html`<h2>Events and errors</h2>`}
<details${own.includes(page) && html` open`}><summary>${icon('chevron-right')}${name}</summary><ul>${links}</ul></details>`;
  });
  return html`<div class="side"><details class="menu"><summary>${icon('chevron-right')}Menu</summary><nav aria-label="Documentation">
<ul><li><a href="/docs"${page.path === '/docs' && html` aria-current="page"`}>Start</a></li></ul>${sections}</nav></details></div>`;
}
