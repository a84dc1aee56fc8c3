import type { DocumentTokenDefinition } from '../../../../kit/index.js';
import type { FieldSchema } from '../../model/core/field-schema.js';
import { propertyOf } from '../../model/core/field-schema.js';
import type { ValueType } from '../../model/expressions/expression.js';
import { TOKEN_TEXT } from './section-tree.js';

/** What names with a dot stand for in every type. A module of this name could not have tokens. */
export const TAKEN_PREFIXES: readonly string[] = ['document', 'custom_fields', 'row'];

const TOKEN = new RegExp(String.raw`\\\{|\{\{(${TOKEN_TEXT})\}\}`, 'g');
/** Rules of {{#field}} name fields of the page only. */
const FIELD = /^\s*#field\b/;
const QUOTED = /"[^"]*"|'[^']*'/g;
const DOTTED = /(?<![\w.])([a-z]\w*)\.([a-z]\w*)(?![\w.])/g;

/** The tokens of modules that a text of a type has, whether or not a module declares them. */
export function moduleTokensIn(text: string, schema: FieldSchema): string[] {
  const found = new Set<string>();
  for (const [, inside] of text.matchAll(TOKEN)) {
    if ((inside as string | undefined) === undefined || FIELD.test(inside)) continue;
    for (const [name, first] of inside.replace(QUOTED, '').matchAll(DOTTED))
      if (!TAKEN_PREFIXES.includes(first) && !propertyOf(schema, first)) found.add(name);
  }
  return [...found];
}

/** What names of tokens stand for in expressions. */
export function typesOf(tokens: Readonly<Record<string, Pick<DocumentTokenDefinition, 'type'>>>): Record<string, ValueType> {
  return Object.fromEntries(Object.entries(tokens).map(([name, { type }]) => [name, { kind: type }]));
}
