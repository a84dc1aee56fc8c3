import { escapeHtml } from './escape-html.js';

/**
 * Markup that needs no escaping: made by `html`, or already sanitized.
 *
 * @example
 * ```ts
 * import { Html, html } from 'work-suite/kit';
 *
 * const icon = new Html('<svg viewBox="0 0 1 1"/>'); // markup that the code itself wrote
 * const button = html`<button>${icon} Save</button>`;
 * ```
 */
export class Html {
  constructor(readonly markup: string) {}
}

/** A value in a template: text is escaped, `null` and `false` render nothing, a list renders its items in order. */
export type HtmlValue = Html | string | number | null | false | readonly HtmlValue[];

/**
 * Makes markup: the template itself is taken literally, every value that is not `Html` is escaped.
 *
 * @example
 * ```ts
 * import { html } from 'work-suite/kit';
 *
 * const names = ['Ada', '<b>Bob</b>'];
 * const list = html`<ul>${names.map((name) => html`<li>${name}</li>`)}</ul>`; // values are escaped
 * ```
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.map((part, index) => (index === 0 ? part : markupOf(values[index - 1]) + part)).join(''));
}

function markupOf(value: HtmlValue): string {
  if (value === null || value === false) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'object') return value.map(markupOf).join('');
  return escapeHtml(String(value));
}
