import { html } from './html.js';
import { PAGE_STYLE } from './page-style.js';
import { SUITE_STYLE } from './suite-style.js';
import { TEXT_FACE } from './typefaces.js';

/** What the head of every page links to. */
export const PAGE_HEAD = html`<link rel="preload" href="/styles/${TEXT_FACE}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/styles/${PAGE_STYLE.file}">`;

/** That of the suite's own pages; their body has the class `suite`. */
export const SUITE_HEAD = html`${PAGE_HEAD}
<link rel="stylesheet" href="/styles/${SUITE_STYLE.file}">`;

/** Above the heading of pages of the suite that belong to no organization. */
export const SUITE_BRAND = html`<p class="brand"><span class="crest" aria-hidden="true">W</span><b>Work suite</b></p>`;
