import { html, type Html } from '../../kit/index.js';
import type { HtmlValue } from '../../kit/internal.js';
import type { View } from '../frame/page-definition.js';

/** A placeholder for empty content: what would be here, why there is nothing, and the next step. */
export function emptyState({ heading, text, step }: { heading: string; text: HtmlValue; step?: Html }): Html {
  return html`<div class="empty"><h2>${heading}</h2><p>${text}</p>${step !== undefined && html`<p>${step}</p>`}</div>`;
}

/** Terms with their values; those without a value are left out. */
export function definitions(items: readonly (readonly [term: string, value: HtmlValue])[]): Html {
  const shown = items.filter(([, value]) => value !== null && value !== false && value !== '');
  return html`<dl>${shown.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>`)}</dl>`;
}

/** Code in a box that scrolls horizontally. `id` must be unique on the page. */
export function codeBlock(code: string, labels: { id: string; label: string }): Html {
  return codeMarkup(html`${code}`, labels);
}

/** The same for code that is already markup. */
export function codeMarkup(code: Html, { id, label }: { id: string; label: string }): Html {
  const box = html`<pre tabindex="0" role="region" aria-label="${label}"><code id="${id}">${code}</code></pre>`;
  return html`<div class="code">${box}${copyButton(id)}</div>`;
}

/** A value to copy, in a field that cannot be changed. */
export function copyField({ id, label, value, hint }: { id: string; label: string; value: string; hint?: string }): Html {
  const input = html`<input type="text" class="mono" id="${id}" value="${value}" readonly autocomplete="off" spellcheck="false">`;
  return html`<div class="field"><label for="${id}">${label}</label>${hint !== undefined && html`<p class="hint">${hint}</p>`}
<div class="copy">${input}${copyButton(id)}</div></div>`;
}

function copyButton(id: string): Html {
  return html`<button type="button" class="quiet" data-copy="${id}" data-script hidden>Copy</button>`;
}

export interface Figure {
  label: string;
  value: string | number;
  hint?: HtmlValue;
  /** The page that explains the number. */
  link?: string;
}

/** Key figures in a row. */
export function figures(items: readonly Figure[]): Html {
  const item = ({ label, value, hint = null, link }: Figure) =>
    html`<div><dt>${label}</dt><dd><b>${link === undefined ? value : html`<a href="${link}">${value}</a>`}</b>${
      hint !== null && html`<span class="soft">${hint}</span>`
    }</dd></div>`;
  return html`<dl class="figures">${items.map(item)}</dl>`;
}

/** A link to the rows as a file. Without `download`, which would hide the page that says why there is none. */
export function csvLink(address: string): Html {
  return html`<a class="button quiet" href="${address}">Download CSV</a>`;
}

export interface Secret {
  title: string;
  /** What the secret is, such as "API key". */
  label: string;
  /** Null if the form was sent again, because the secret was shown already. */
  secret: string | null;
  /** Where to put it. */
  advice: HtmlValue;
  above?: View['above'];
  /** The page of the created resource. */
  next: string;
  /** What to do without the secret, such as to roll it. */
  lost: HtmlValue;
  more?: HtmlValue;
}

/** The page that shows a secret once. It is the response to a form; a reload neither creates anything again nor shows the secret. */
export function secretView({ title, label, secret, advice, above, next, lost, more = null }: Secret): View {
  const field = secret !== null && copyField({ id: 'secret', label, value: secret, hint: 'Shown only now: it is not stored.' });
  return {
    title: secret === null ? 'The secret was shown already' : title,
    above,
    body: secret
      ? html`<div class="note done" role="status" tabindex="-1" autofocus><h2>Store it now</h2><p>${advice}</p></div>
${field}${more}<p><a class="button" href="${next}">I have stored it</a></p>`
      : html`<div class="note" role="status"><h2>It is not shown again</h2>
<p>It is not stored. Nothing was made twice.</p>
<p>${lost}</p></div><p><a class="button" href="${next}">Continue</a></p>`,
  };
}

interface RefreshOptions {
  id: string;
  /** The address of the page. */
  here: string;
  body: Html;
  /** Whether it waits for something: the script then refreshes it immediately, until the page no longer sets this. */
  isLive?: boolean;
}

/** A part of a page that the script can refresh every five seconds, with a link that refreshes it without a script. */
export function refreshRegion({ id, here, body, isLive = false }: RefreshOptions): Html {
  return html`<div class="row end">${refreshTools({ id, here })}</div>
<div id="${id}"${isLive && html` data-live="true"`}>${body}</div>`;
}

/** The controls that refresh the element with the id, for the page's toolbar. */
export function refreshTools({ id, here }: Pick<RefreshOptions, 'id' | 'here'>): Html {
  return html`<a class="button quiet" href="${here}">Refresh</a>
<button type="button" class="quiet" data-refresh="${id}" aria-pressed="false" data-script hidden>Every 5 seconds</button>`;
}
