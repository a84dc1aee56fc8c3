const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Markup that is safe as it stands: made by `html`, or sanitised before. */
export class Html {
  constructor(readonly markup: string) {}
}

/** What may stand in a template: text is escaped, `null` and `false` are nothing, a list is its items one after the other. */
export type HtmlValue = Html | string | number | null | false | readonly HtmlValue[];

/** Makes markup: what the template itself says is taken as it is, every value is escaped unless it is markup already. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.map((part, index) => (index === 0 ? part : markupOf(values[index - 1]) + part)).join(''));
}

function markupOf(value: HtmlValue): string {
  if (value === null || value === false) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'object') return value.map(markupOf).join('');
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character]);
}
