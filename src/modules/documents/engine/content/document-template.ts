import { isBarcode, type BarcodeKind } from '../../model/core/barcodes.js';
import {
  fieldAt,
  inOrder,
  labelOf,
  propertyOf,
  type FieldSchema,
  type ScalarField,
  type TableField,
} from '../../model/core/field-schema.js';
import type { LayoutDto } from '../../model/types/layout.dto.js';
import { BY_ZERO, constantOf, dividesByZero } from '../../model/expressions/constants.js';
import { decimalText } from '../../model/expressions/exact.js';
import { LEAST_WIDTH } from './image.js';
import { hasWords, LANGUAGES_WITH_WORDS } from './number-words.js';
import { pageSize, textSize } from './page-layout.js';
import { printedWords } from './printed-words.js';
import { isImage } from '../../model/core/images.js';
import { compile, compileAll } from '../../model/expressions/check.js';
import { namesIn, type Expression } from '../../model/expressions/expression.js';
import type { RowScope } from '../../model/expressions/scope.js';
import { ExpressionFault } from '../../model/expressions/syntax.js';
import { ColumnsCheck } from './columns-check.js';
import { isFieldToken, readFieldToken, type TemplateField } from './field-tokens.js';
import { isSection, TOKEN_TEXT } from './section-tree.js';
import { checkSections, type TemplateProblem } from './sections.js';
import { isBuiltIn, scopeOf, type BuiltIn, type NamesInTokens } from './template-scope.js';

/*
 * A template is Markdown (CommonMark with tables; no HTML, images or code) with tokens:
 *
 *   {{name}}                  the field `name` of the document's data_values; in {{#each items}} a column of the current row
 *   {{net * 1.19}}            an expression, see model/expressions
 *   {{document.number}}       a property of the document itself, see template-scope.ts
 *   {{fleet.vehicle_name}}    a token of the module fleet, see module-tokens.ts
 *   {{#table items}}          the array `items` as a table with a column per property, on a line between blank lines
 *   {{sum items.price}}       the sum of a column of that table; amounts in several currencies have a line each
 *   {{words price}}           an amount or whole number in words; also {{words sum items.price}}
 *   {{#signature customer}}   a line on which the party signs, or several side by side; on a line between blank lines
 *   {{signed_on customer}}    the day on which the party signed
 *   {{#field place party=customer label="Place"}}  what the party fills in when it signs, see field-tokens.ts
 *   {{#qr link}}              a text as a QR code; on a line between blank lines, as all that follow
 *   {{#payment_qr name, iban, total, reference}}  a QR code for a credit transfer in euros
 *   {{#barcode sku}}          a text as a barcode: that of its x-format, or else Code 128
 *   {{#image photo, 60}}      a picture, 60 mm wide; {{#image photo}} in its own size; a third part describes it
 *   {{#page_break}}           begins a page in the PDF
 *   {{#columns}} ... {{#column}} ... {{/columns}}  blocks side by side
 *   {{#logo}}                 the logo of the organization, in the PDF; on a line between blank lines
 *   {{#if renews}} ... {{/if}} a section that depends on values, see section-tree.ts
 *   \{{                     two literal braces
 *
 * A template that was checked when its type was published always renders. Tokens are replaced after the Markdown was parsed
 * (document-content.ts), so a value is always text and never markup.
 */

export type TemplateToken =
  | { kind: 'built_in'; name: BuiltIn }
  | Printed
  | { kind: 'sum'; name: string; column: string; property: ScalarField; inWords: boolean }
  | { kind: 'words'; of: Printed }
  | { kind: 'table'; name: string; property: TableField }
  | { kind: 'signatures'; parties: string[] }
  | { kind: 'signed_on'; party: string }
  | { kind: 'placed'; field: TemplateField }
  | { kind: 'qr'; text: Expression }
  | { kind: 'payment_qr'; payment: Expression[] }
  | { kind: 'barcode'; text: Expression; as: BarcodeKind }
  | { kind: 'image'; of: ImageField; width: Expression | null; alt: Expression | null }
  | { kind: BareKind };

/** A field or column that names a picture. */
interface ImageField {
  expression: Expression;
  property: ScalarField;
}

type BareKind = 'logo' | 'page_break' | 'columns' | 'next_column' | 'columns_end';

/** What prints a value: of a field, of a column of the current row, or of an expression. */
export type Printed =
  | { kind: 'field'; name: string; property: ScalarField }
  | { kind: 'column'; table: string; name: string; property: ScalarField }
  | { kind: 'expression'; expression: Expression };

/** What tokens of a type can name. */
export interface TemplateNames extends NamesInTokens {
  /** Keys of the parties that sign. */
  parties: readonly string[];
}

/** What a template is checked against when its type is published. */
export interface CheckedAgainst extends TemplateNames {
  /** BCP 47. */
  language?: string;
  layout?: LayoutDto | null;
}

/** Captures the text between the braces. Sticky: matches only at `lastIndex`. */
export const TOKEN = new RegExp(String.raw`\{\{(${TOKEN_TEXT})\}\}`, 'y');
const TOKEN_OR_FRAGMENT = new RegExp(String.raw`\\\{|\{\{(${TOKEN_TEXT})(\}\})?`, 'g');
const SECTION_LINE = new RegExp(String.raw`^\s*\{\{(${TOKEN_TEXT})\}\}\s*$`);
const NOT_CLOSED = 'the token is not closed: write }} on the same line';
const BEFORE_BAR = 'the token is not closed before |, which ends a cell of a table: write }} before it, or the text with | in quotes';
const IN_ADDRESS = 'a link address cannot contain a token';
const TABLE = /^#table\s+(.+)$/;
/** Tokens without a name. */
const BARE: Readonly<Record<string, BareKind>> = {
  '#logo': 'logo',
  '#page_break': 'page_break',
  '#columns': 'columns',
  '#column': 'next_column',
  '/columns': 'columns_end',
};
const QR = /^#(qr|payment_qr|barcode|image)\s+(.+)$/;
/** What {{#payment_qr}} is given. */
const PAYMENT = [
  ['the name of the recipient', 'text'],
  ['the IBAN', 'text'],
  ['the amount', 'money'],
  ['the reference', 'text'],
] as const;
const SIGNATURE = /^#signature\s+(.+)$/;
const SIGNED_ON = /^signed_on\s+(\S+)$/;
const MOST_SIDE_BY_SIDE = 3;
const SUM = /^(words\s+)?sum\s+(\S+)\.(\S+)$/;
const WORDS = /^words\s+(.+)$/;
const PLAIN = /^[\w.]+$/;

/** Parses the text between the braces, where the tables in `rows` have a current row. Returns the token, or a message if it is invalid. */
export function readToken(inside: string, names: TemplateNames, rows: readonly RowScope[] = []): TemplateToken | string {
  const { schema, parties } = names;
  const text = inside.trim();
  const table = TABLE.exec(text)?.[1];
  if (table !== undefined) {
    const property = propertyOf(schema, table);
    if (property === undefined) return `${table} is not a field of this type`;
    return property.type === 'array'
      ? { kind: 'table', name: table, property }
      : `${table} is a single value, not a table: write {{${table}}}`;
  }
  if (Object.hasOwn(BARE, text)) return { kind: BARE[text] };
  const code = QR.exec(text);
  if (code) return readCode(code[1], code[2], names, rows);
  const signers = SIGNATURE.exec(text)?.[1].split(/\s+/);
  if (signers) return readSignature(signers, parties);
  const signer = SIGNED_ON.exec(text)?.[1];
  if (signer !== undefined) return parties.includes(signer) ? { kind: 'signed_on', party: signer } : noParty(signer);
  if (isFieldToken(text)) {
    const field = readFieldToken(text, parties, rows.length > 0);
    return typeof field === 'string' ? field : { kind: 'placed', field };
  }
  const sum = SUM.exec(text);
  if (sum) return readSum(sum[2], sum[3], sum[1] !== undefined, schema);
  const inWords = WORDS.exec(text)?.[1];
  if (inWords !== undefined) return readWords(inWords, names, rows);
  return text === '' ? 'a token must name a field' : readPrinted(text, names, rows);
}

function readPrinted(
  text: string,
  names: NamesInTokens,
  rows: readonly RowScope[],
): Printed | { kind: 'built_in'; name: BuiltIn } | string {
  const { schema } = names;
  if (isBuiltIn(text, schema)) return { kind: 'built_in', name: text };
  let expression: Expression;
  try {
    expression = compile(text, scopeOf(names, rows));
  } catch (error) {
    if (error instanceof ExpressionFault) return error.message;
    throw error;
  }
  if (expression.type.kind === 'table') return `${text} is a table: write {{#table ${text}}}`;
  const named = fieldAt(schema, pathOf(expression)) as ScalarField | null;
  if (named && isImage(named)) return `${text} is a picture: write {{#image ${text}}}`;
  const [property, column] =
    expression.kind === 'field'
      ? [propertyOf(schema, expression.name)]
      : expression.kind === 'column'
        ? [propertyOf(schema, expression.table), expression.column]
        : [];
  if (expression.kind === 'field' && property && property.type !== 'array') return { kind: 'field', name: expression.name, property };
  if (expression.kind !== 'column' || column === undefined || property?.type !== 'array') return { kind: 'expression', expression };
  return { kind: 'column', table: expression.table, name: column, property: property.items.properties[column] };
}

function readWords(text: string, names: NamesInTokens, rows: readonly RowScope[]): TemplateToken | string {
  const of = readPrinted(text, names, rows);
  const isPlain = PLAIN.test(text);
  if (typeof of === 'string' && !isPlain) return of;
  if (typeof of === 'object' && of.kind !== 'built_in') {
    const { type } = of.kind === 'expression' ? of.expression : { type: null };
    const isWhole = of.kind === 'expression' ? type?.kind === 'money' || type?.isWhole : of.property.type === 'integer';
    if (isWhole) return { kind: 'words', of };
  }
  return isPlain ? `${text} is not a field of the type integer` : 'words needs an amount or a whole number: write round(...)';
}

function readCode(kind: string, text: string, names: NamesInTokens, rows: readonly RowScope[]): TemplateToken | string {
  const { schema } = names;
  let given: Expression[];
  try {
    given = compileAll(text, scopeOf(names, rows));
  } catch (error) {
    if (error instanceof ExpressionFault) return error.message;
    throw error;
  }
  if (kind === 'qr')
    return given.length === 1 && given[0].type.kind === 'text'
      ? { kind: 'qr', text: given[0] }
      : 'a QR code needs one text: write {{#qr field}}';
  if (kind === 'image') return readImage(given, schema);
  if (kind === 'barcode')
    return given.length === 1 && given[0].type.kind === 'text'
      ? { kind: 'barcode', text: given[0], as: barcodeKindOf(given[0], schema) }
      : 'a barcode needs one text: write {{#barcode field}}';
  const wrong = PAYMENT.find(([, needed], index) => given.at(index)?.type.kind !== needed);
  if (wrong || given.length > PAYMENT.length)
    return `a payment code needs ${PAYMENT.map(([what]) => what).join(', ')}: write {{#payment_qr name, iban, total, number}}`;
  return { kind: 'payment_qr', payment: given };
}

const IMAGE_NEEDS = 'an image needs a field with the x-format image: write {{#image photo}} or, 60 mm wide, {{#image photo, 60}}';

function readImage([of, width, alt, ...others]: Expression[], schema: FieldSchema): TemplateToken | string {
  if ((of.kind !== 'field' && of.kind !== 'column') || others.length > 0) return IMAGE_NEEDS;
  const property = fieldAt(schema, pathOf(of)) as ScalarField | null;
  const isRight = property && isImage(property) && (!width || width.type.kind === 'number') && (!alt || alt.type.kind === 'text');
  return isRight ? { kind: 'image', of: { expression: of, property }, width: width ?? null, alt: alt ?? null } : IMAGE_NEEDS;
}

function pathOf(field: Expression): string {
  return field.kind === 'field' ? field.name : field.kind === 'column' ? `${field.table}.${field.column}` : '';
}

/** As the x-format of a field or column says; any other text can be printed as Code 128. */
function barcodeKindOf(text: Expression, schema: FieldSchema): BarcodeKind {
  const format = fieldAt(schema, pathOf(text))?.['x-format'];
  return isBarcode(format) ? format : 'code128';
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
export function checkTemplate(template: string, names: CheckedAgainst): TemplateProblem[] {
  const { problems, pieceAt } = checkSections(template, names);
  const columns = new ColumnsCheck();
  const lines = template.split('\n');
  let offset = 0;
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
      const isClosed = found[2] !== undefined;
      const token = isClosed && !isSection(found[1]) ? readToken(found[1], names, pieceAt(offset + found.index).rows) : null;
      const message = !isClosed
        ? text[found.index + found[0].length] === '|'
          ? BEFORE_BAR
          : NOT_CLOSED
        : isLinkAddress
          ? IN_ADDRESS
          : (problemOf(token, found[0], lines, index) ??
            unprintable(token, names) ??
            columns.problemOf(kindOf(token), pieceAt(offset + found.index).branch, index + 1));
      if (message !== null) problems.push({ token: found[0], line: index + 1, column: found.index + 1, message });
    }
    offset += text.length + 1;
  });
  if (columns.isOpen) problems.push({ token: '{{#columns}}', line: columns.line, column: 1, message: 'write {{/columns}} after it' });
  return problems;
}

function kindOf(token: TemplateToken | string | null): TemplateToken['kind'] | null {
  return token === null || typeof token === 'string' ? null : token.kind;
}

/** What can be said without the values of a document. Published templates may have it. */
function unprintable(token: TemplateToken | string | null, { language = 'en', layout }: CheckedAgainst): string | null {
  if (token === null || typeof token === 'string') return null;
  if (dividesByZero(token)) return BY_ZERO;
  const isInWords = token.kind === 'words' || (token.kind === 'sum' && token.inWords);
  if (isInWords && !hasWords(language))
    return `numbers cannot be written in words in the language ${language}, only in ${LANGUAGES_WITH_WORDS.join(', ')}`;
  const width = token.kind === 'image' && token.width ? constantOf(token.width) : undefined;
  if (typeof width !== 'object' || width === null) return null;
  const millimeters = Number(decimalText(width));
  const room = Math.floor((textSize(pageSize(layout)).width * 25.4) / 72);
  if (millimeters < LEAST_WIDTH) return `the width of a picture must be at least ${LEAST_WIDTH} mm`;
  return millimeters <= room ? null : `the picture would be ${millimeters} mm wide, but the text of the page is ${room} mm wide`;
}

/** `token` is null for that of a section. */
function problemOf(token: TemplateToken | string | null, written: string, lines: string[], index: number): string | null {
  if (token === null) return null;
  if (typeof token === 'string') return token;
  if (!isBlock(token)) return null;
  const isFree = (line: string | undefined) => {
    return line === undefined || line.trim() === '' || isSection(SECTION_LINE.exec(line)?.[1] ?? '');
  };
  const isAlone = (line: string) => line === written && isFree(lines[index - 1]) && isFree(lines[index + 1]);
  if (token.kind === 'columns' || token.kind === 'next_column' || token.kind === 'columns_end')
    return isAlone(lines[index].trimEnd())
      ? null
      : `${written} must be on a line of its own, between blank lines, without spaces before it`;
  return isAlone(lines[index].trim()) ? null : `a ${NAMES[token.kind]} token must be on a line of its own, between blank lines`;
}

const NAMES = {
  table: 'table',
  signatures: 'signature',
  qr: 'QR code',
  payment_qr: 'payment code',
  barcode: 'barcode',
  image: 'picture',
  logo: 'logo',
  page_break: 'page break',
} as const;

/** The fields that parties fill in, with their tokens. */
export function fieldTokensOf(template: string, names: TemplateNames): { field: TemplateField; at: Omit<TemplateProblem, 'message'> }[] {
  return template.split('\n').flatMap((text, index) =>
    [...text.matchAll(TOKEN_OR_FRAGMENT)].flatMap((found) => {
      const inside = found[2] === undefined ? '' : found[1].trim();
      const field = isFieldToken(inside) ? readFieldToken(inside, names.parties, false) : '';
      return typeof field === 'string' ? [] : [{ field, at: { token: found[0], line: index + 1, column: found.index + 1 } }];
    }),
  );
}

/** The fields whose values the template prints or depends on. */
export function fieldsOf(template: string, names: TemplateNames): Set<string> {
  const { pieceAt, tables } = checkSections(template, names);
  const fields = new Set<string>(tables);
  for (const found of template.matchAll(TOKEN_OR_FRAGMENT)) {
    if (found[2] === undefined || isSection(found[1])) continue;
    for (const name of fieldsIn(readToken(found[1], names, pieceAt(found.index).rows))) fields.add(name.split('.')[0]);
  }
  return fields;
}

function fieldsIn(token: TemplateToken | string): Iterable<string> {
  if (typeof token === 'string') return [];
  if (token.kind === 'words') return fieldsIn(token.of);
  if (token.kind === 'expression') return namesIn(token.expression);
  if (token.kind === 'qr' || token.kind === 'barcode') return namesIn(token.text);
  if (token.kind === 'image') return [token.of.expression, token.width, token.alt].flatMap((one) => (one ? [...namesIn(one)] : []));
  if (token.kind === 'payment_qr') return token.payment.flatMap((one) => [...namesIn(one)]);
  if (token.kind === 'column') return [token.table];
  return token.kind !== 'built_in' && 'name' in token ? [token.name] : [];
}

const BLOCKS = [
  'table',
  'signatures',
  'qr',
  'payment_qr',
  'barcode',
  'image',
  'logo',
  'page_break',
  'columns',
  'next_column',
  'columns_end',
] as const;
export type BlockToken = Extract<TemplateToken, { kind: (typeof BLOCKS)[number] }>;

/** Whether a token stands for a block, which must be on a line of its own. */
export function isBlock(token: TemplateToken): token is BlockToken {
  return (BLOCKS as readonly string[]).includes(token.kind);
}

/** The default layout as a template, in a language: the title, then every field with its label, then the tables. */
export function defaultTemplate(schema: FieldSchema, language = 'en'): string {
  const words = printedWords(language);
  const fields = inOrder(schema.properties);
  const rows = fields
    .filter(([, property]) => property.type !== 'array' && !isImage(property))
    .map(([name, property]) => `| ${literal(labelOf(name, property))} | {{${name}}} |`);
  const tables = fields
    .filter(([, property]) => property.type === 'array')
    .map(([name, property]) => `\n## ${literal(labelOf(name, property))}\n\n{{#table ${name}}}\n`);
  const images = fields
    .filter(([, property]) => property.type !== 'array' && isImage(property))
    .map(([name, property]) => `\n## ${literal(labelOf(name, property))}\n\n{{#image ${name}}}\n`);
  return [
    '# {{document.title}}',
    '',
    `| ${words.field} | ${words.value} |`,
    '|---|---|',
    `| ${words.number} | {{document.number}} |`,
    ...rows,
    ...images,
    ...tables,
  ].join('\n');
}

/** Escapes text for use in Markdown. */
function literal(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}
