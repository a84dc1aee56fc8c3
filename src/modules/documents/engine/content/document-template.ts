import { inOrder, labelOf, propertyOf, type FieldSchema, type ScalarField, type TableField } from '../../model/core/field-schema.js';
import { printedWords } from './printed-words.js';
import { checkSections, isSection, type TemplateProblem } from './sections.js';

/*
 * A template is Markdown (CommonMark with tables; no HTML, images or code) with tokens:
 *
 *   {{name}}                  the field `name` of the document's data_values
 *   {{document.number}}       a property of the document itself, see BUILT_IN
 *   {{#table items}}          the array `items` as a table with a column per property, on a line between blank lines
 *   {{sum items.price}}       the sum of a column of that table
 *   {{words price}}           an amount or whole number in words; also {{words sum items.price}}
 *   {{#signature customer}}   a line on which the party signs, or several side by side; on a line between blank lines
 *   {{signed_on customer}}    the day on which the party signed
 *   {{#logo}}                 the logo of the organization, in the PDF; on a line between blank lines
 *   {{#if renews}} ... {{/if}} a section that depends on a value, see sections.ts
 *   \{{                     two literal braces
 *
 * A template that was checked when its type was published always renders. Tokens are replaced after the Markdown was parsed
 * (document-content.ts), so a value is always text and never markup.
 */

/** Properties of the document that a token can name. */
const BUILT_IN = ['document.number', 'document.title', 'document.created_on', 'document.finalized_on'] as const;
export type BuiltIn = (typeof BUILT_IN)[number];

export type TemplateToken =
  | { kind: 'built_in'; name: BuiltIn }
  | { kind: 'field'; name: string; property: ScalarField }
  | { kind: 'sum'; name: string; column: string; property: ScalarField; inWords: boolean }
  | { kind: 'words'; name: string; property: ScalarField }
  | { kind: 'table'; name: string; property: TableField }
  | { kind: 'signatures'; parties: string[] }
  | { kind: 'signed_on'; party: string }
  | { kind: 'logo' };

/** What tokens of a type can name. */
export interface TemplateNames {
  schema: FieldSchema;
  /** Keys of the parties that sign. */
  parties: readonly string[];
}

/** Captures the text between the braces. Sticky: matches only at `lastIndex`. */
export const TOKEN = /\{\{([^{}|\n]*)\}\}/y;
const TOKEN_OR_FRAGMENT = /\\\{|\{\{([^{}|\n]*)(\}\})?/g;
const SECTION_LINE = /^\s*\{\{\s*(?:#if\s[^{}]*|else|\/if)\s*\}\}\s*$/;
const IN_ADDRESS = 'a link address cannot contain a token';
const TABLE = /^#table\s+(.+)$/;
const LOGO = /^#logo$/;
const SIGNATURE = /^#signature\s+(.+)$/;
const SIGNED_ON = /^signed_on\s+(\S+)$/;
const MOST_SIDE_BY_SIDE = 3;
const SUM = /^(words\s+)?sum\s+(\S+)\.(\S+)$/;
const WORDS = /^words\s+(\S+)$/;

/** Parses the text between the braces. Returns the token, or a message if it is invalid. */
export function readToken(inside: string, { schema, parties }: TemplateNames): TemplateToken | string {
  const text = inside.trim();
  const table = TABLE.exec(text)?.[1];
  if (table !== undefined) {
    const property = propertyOf(schema, table);
    if (property === undefined) return `${table} is not a field of this type`;
    return property.type === 'array'
      ? { kind: 'table', name: table, property }
      : `${table} is a single value, not a table: write {{${table}}}`;
  }
  if (LOGO.test(text)) return { kind: 'logo' };
  const signers = SIGNATURE.exec(text)?.[1].split(/\s+/);
  if (signers) return readSignature(signers, parties);
  const signer = SIGNED_ON.exec(text)?.[1];
  if (signer !== undefined) return parties.includes(signer) ? { kind: 'signed_on', party: signer } : noParty(signer);
  const sum = SUM.exec(text);
  if (sum) return readSum(sum[2], sum[3], sum[1] !== undefined, schema);
  const inWords = WORDS.exec(text)?.[1];
  if (inWords !== undefined) {
    const property = propertyOf(schema, inWords);
    return property?.type === 'integer' ? { kind: 'words', name: inWords, property } : `${inWords} is not a field of the type integer`;
  }
  const builtIn = BUILT_IN.find((name) => name === text);
  if (builtIn) return { kind: 'built_in', name: builtIn };
  const property = propertyOf(schema, text);
  if (property === undefined) return text === '' ? 'a token must name a field' : `${text} is not a field of this type`;
  return property.type === 'array' ? `${text} is a table: write {{#table ${text}}}` : { kind: 'field', name: text, property };
}

function readSum(table: string, column: string, inWords: boolean, schema: FieldSchema): TemplateToken | string {
  const items = propertyOf(schema, table);
  if (items?.type !== 'array') return `${table} is not a table of this type`;
  const property = Object.hasOwn(items.items.properties, column) ? items.items.properties[column] : undefined;
  const types = inWords ? ['integer'] : ['integer', 'number'];
  if (!property || !types.includes(property.type)) return `${column} is not a column of ${table} with the type ${types.join(' or ')}`;
  return { kind: 'sum', name: table, column, property, inWords };
}

function readSignature(signers: string[], parties: readonly string[]): TemplateToken | string {
  const unknown = signers.find((signer) => !parties.includes(signer));
  if (unknown !== undefined) return noParty(unknown);
  return signers.length <= MOST_SIDE_BY_SIDE
    ? { kind: 'signatures', parties: signers }
    : `at most ${MOST_SIDE_BY_SIDE} parties sign side by side: write another token below`;
}

function noParty(key: string): string {
  return `${key} is not a party of signature_parties`;
}

/** The problems of all invalid tokens. Empty for a valid template. */
export function checkTemplate(template: string, names: TemplateNames): TemplateProblem[] {
  const problems: TemplateProblem[] = checkSections(template, names.schema);
  const lines = template.split(/\r?\n/);
  lines.forEach((text, index) => {
    // each character is looked at once: a line may be as long as the template
    let isLinkAddress = false;
    let read = 0;
    for (const found of text.matchAll(TOKEN_OR_FRAGMENT)) {
      if (found[1] === undefined) continue;
      const between = text.slice(read, found.index);
      const [opened, closed] = [between.lastIndexOf(']('), between.lastIndexOf(')')];
      if (opened !== closed) isLinkAddress = opened > closed;
      read = found.index;
      const message = isLinkAddress && found[2] !== undefined ? IN_ADDRESS : problemOf(found, lines, index, names);
      if (message !== null) problems.push({ token: found[0], line: index + 1, column: found.index + 1, message });
    }
  });
  return problems;
}

function problemOf(found: RegExpExecArray, lines: string[], index: number, names: TemplateNames): string | null {
  if (found[2] === undefined) return 'the token is not closed: write }} on the same line';
  if (isSection(found[1])) return null;
  const token = readToken(found[1], names);
  if (typeof token === 'string') return token;
  if (!isBlock(token)) return null;
  const isFree = (line: string | undefined) => line === undefined || line.trim() === '' || SECTION_LINE.test(line);
  const alone = lines[index].trim() === found[0] && isFree(lines[index - 1]) && isFree(lines[index + 1]);
  return alone
    ? null
    : `a ${token.kind === 'signatures' ? 'signature' : token.kind} token must be on a line of its own, between blank lines`;
}

export type BlockToken = Extract<TemplateToken, { kind: 'table' | 'signatures' | 'logo' }>;

/** Whether a token stands for a block, which must be on a line of its own. */
export function isBlock(token: TemplateToken): token is BlockToken {
  return token.kind === 'table' || token.kind === 'signatures' || token.kind === 'logo';
}

/** The default layout as a template, in a language: the title, then every field with its label, then the tables. */
export function defaultTemplate(schema: FieldSchema, language = 'en'): string {
  const words = printedWords(language);
  const fields = inOrder(schema.properties);
  const rows = fields
    .filter(([, property]) => property.type !== 'array')
    .map(([name, property]) => `| ${literal(labelOf(name, property))} | {{${name}}} |`);
  const tables = fields
    .filter(([, property]) => property.type === 'array')
    .map(([name, property]) => `\n## ${literal(labelOf(name, property))}\n\n{{#table ${name}}}\n`);
  return [
    '# {{document.title}}',
    '',
    `| ${words.field} | ${words.value} |`,
    '|---|---|',
    `| ${words.number} | {{document.number}} |`,
    ...rows,
    ...tables,
  ].join('\n');
}

/** Escapes text for use in Markdown. */
function literal(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}
