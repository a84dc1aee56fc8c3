import { inOrder, labelOf, propertyOf, type FieldSchema, type ScalarField, type TableField } from '../../model/core/field-schema.js';

/*
 * A template is Markdown (CommonMark with tables; no HTML, no images, no code) and tokens:
 *
 *   {{name}}                  the field `name` of the document's data_values
 *   {{document.number}}       what is known of the document itself, see BUILT_IN
 *   {{#table items}}          the array `items` as a table, a column per property; alone, between blank lines
 *   \{{                       two braces that are no token
 *
 * There is no logic in it, so a template can be checked once, when its type is published, and renders ever after. Tokens are
 * replaced after Markdown was read (document-content.ts): a value is text and cannot become anything else.
 */

/** What a token may say of the document itself. */
export const BUILT_IN = ['document.number', 'document.title', 'document.created_on', 'document.finalized_on'] as const;
export type BuiltIn = (typeof BUILT_IN)[number];

export type TemplateToken =
  | { kind: 'built_in'; name: BuiltIn }
  | { kind: 'field'; name: string; property: ScalarField }
  | { kind: 'table'; name: string; property: TableField };

/** What is wrong with a token, and where: lines and columns count from 1. */
export interface TemplateProblem {
  token: string;
  line: number;
  column: number;
  message: string;
}

/** What stands between the braces, sticky: at a given place or not at all. */
export const TOKEN = /\{\{([^{}|\n]*)\}\}/y;
const TOKEN_OR_FRAGMENT = /\\\{|\{\{([^{}|\n]*)(\}\})?/g;
const TABLE = /^#table\s+(.+)$/;
const LINK_ADDRESS = /\]\([^)]*$/;

/** A token by what stands between its braces, or the reason why it is none. */
export function readToken(inside: string, schema: FieldSchema): TemplateToken | string {
  const text = inside.trim();
  const table = TABLE.exec(text)?.[1];
  if (table !== undefined) {
    const property = propertyOf(schema, table);
    if (property === undefined) return `${table} is no field of this type`;
    return property.type === 'array' ? { kind: 'table', name: table, property } : `${table} is one value, not a table: write {{${table}}}`;
  }
  const builtIn = BUILT_IN.find((name) => name === text);
  if (builtIn) return { kind: 'built_in', name: builtIn };
  const property = propertyOf(schema, text);
  if (property === undefined) return text === '' ? 'a token names a field' : `${text} is no field of this type`;
  return property.type === 'array' ? `${text} is a table: write {{#table ${text}}}` : { kind: 'field', name: text, property };
}

/** Every token that would not be replaced; none when the template is good. */
export function checkTemplate(template: string, schema: FieldSchema): TemplateProblem[] {
  const problems: TemplateProblem[] = [];
  const lines = template.split(/\r?\n/);
  lines.forEach((text, index) => {
    for (const found of text.matchAll(TOKEN_OR_FRAGMENT)) {
      if (found[1] === undefined) continue;
      const message = problemOf(found, lines, index, schema);
      if (message !== null) problems.push({ token: found[0], line: index + 1, column: found.index + 1, message });
    }
  });
  return problems;
}

function problemOf(found: RegExpExecArray, lines: string[], index: number, schema: FieldSchema): string | null {
  if (found[2] === undefined) return 'the token is not closed: write }} on the same line';
  if (LINK_ADDRESS.test(lines[index].slice(0, found.index))) return 'a token cannot stand in the address of a link';
  const token = readToken(found[1], schema);
  if (typeof token === 'string') return token;
  if (token.kind !== 'table') return null;
  const alone =
    lines[index].trim() === found[0] && [lines[index - 1], lines[index + 1]].every((line) => line === undefined || line.trim() === '');
  return alone ? null : 'a table stands on a line of its own, between blank lines';
}

/** The layout of a type that has no template, as one: title, then every field with its label, then the tables. */
export function defaultTemplate(schema: FieldSchema): string {
  const fields = inOrder(schema.properties);
  const rows = fields
    .filter(([, property]) => property.type !== 'array')
    .map(([name, property]) => `| ${literal(labelOf(name, property))} | {{${name}}} |`);
  const tables = fields
    .filter(([, property]) => property.type === 'array')
    .map(([name, property]) => `\n## ${literal(labelOf(name, property))}\n\n{{#table ${name}}}\n`);
  return ['# {{document.title}}', '', '| Field | Value |', '|---|---|', '| Number | {{document.number}} |', ...rows, ...tables].join('\n');
}

/** Text that Markdown shows as it is. */
function literal(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}
