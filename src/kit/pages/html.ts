import { escapeHtml } from './escape-html.js';

/** Markup that needs no escaping: made by `html`, or already sanitized. */
export class Html {
  constructor(readonly markup: string) {}
}

/** A value in a template: text is escaped, `null` and `false` render nothing, a list renders its items in order. */
export type HtmlValue = Html | string | number | null | false | readonly HtmlValue[];

/** Makes markup: the template itself is taken literally, every value that is not `Html` is escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.map((part, index) => (index === 0 ? part : markupOf(values[index - 1]) + part)).join(''));
}

function markupOf(value: HtmlValue): string {
  if (value === null || value === false) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'object') return value.map(markupOf).join('');
  return escapeHtml(String(value));
}
