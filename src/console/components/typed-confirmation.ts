import { html, type Html } from '../../kit/index.js';
import { FormRefused } from '../frame/refusals.js';
import type { Values } from '../frame/values.js';
import type { Visit } from '../frame/visit.js';

const TYPED = 'typed';

/** A form for an irreversible action, which requires typing a name. The action calls `requireTyped`. `kept`: hidden fields. */
export function typedConfirmation(
  visit: Visit,
  action: string,
  {
    name,
    explanation,
    submit,
    version,
    kept = {},
  }: { name: string; explanation: string | Html; submit: string; version?: number; kept?: Readonly<Record<string, string>> },
): Html {
  const form = visit.form(action);
  // the browser itself compares, where it knows the pattern
  const pattern = [...name].map((character) => (/[\w ]/.test(character) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`));
  const attributes = html` pattern="${pattern.join('')}" title="${name}" spellcheck="false"`;
  const text = form.text({ name: TYPED, label: `Type ${name} to confirm`, attributes });
  const hidden = Object.entries(kept).map(([field, value]) => form.hidden(field, value));
  return form.render({
    body: html`<p>${explanation}</p>${hidden}${text}`,
    submit: { label: submit, tone: 'grave' },
    version,
    className: 'narrow',
  });
}

/** Rejects the form unless the name was typed. */
export function requireTyped(values: Values, name: string): void {
  if (values.text(TYPED) !== name.trim()) throw new FormRefused([{ field: TYPED, text: `Type ${name} exactly as it is written here.` }]);
}
