import MarkdownIt from 'markdown-it';
import {
  defaultTemplate,
  isBlock,
  readToken,
  type BlockToken,
  type BuiltIn,
  type TemplateNames,
  type TemplateToken,
} from './document-template.js';
import { inOrder, labelOf, type FieldSchema, type ScalarField, type TableField } from '../../model/core/field-schema.js';
import { ContentSize, PART } from './content-size.js';
import { dateText, fieldText, totalInWords, totalText, wordsText } from './field-text.js';
import { forNarrowScreens } from './table-labels.js';
import { markdown, type Token } from './markdown.js';
import { printedWords } from './printed-words.js';
import { withSections } from './sections.js';
import { logoToken, signatureToken, signedOnToken, type SigningParty } from './signing-tokens.js';

/** The complete input of a rendering: the same content always gives the same bytes. */
export interface DocumentContent {
  /** Null for the default layout of the schema. */
  template: string | null;
  schema: FieldSchema;
  values: Record<string, unknown>;
  /** The parties of the type, which tokens of the template can name. */
  parties: readonly SigningParty[];
  document: { number: string | null; title: string; created_on: string; finalized_on: string | null };
  /** BCP 47. Used to format numbers and dates, and by screen readers. */
  language: string;
  /** Of the project. */
  timeZone: string;
  /** For a missing value an unfinished document shows a line to fill in, a finished one a dash. */
  finished: boolean;
}

const LINE_END = /\r\n|[\r\n\u2028\u2029]/;
const BLANK = '________';
const NONE = '—';
type Count = (characters: number) => void;

/** The document as Markdown tokens with every template token replaced, for both HTML and PDF. Rejects documents that are too long. */
export function contentTokens(content: DocumentContent): Token[] {
  const template =
    content.template === null
      ? defaultTemplate(content.schema, content.language)
      : withSections(content.template, content.schema, content.values);
  const size = new ContentSize();
  const parsed = markdown.parse(template, {});
  for (const token of parsed)
    size.add(
      'template',
      (token.children ?? []).reduce((sum, child) => sum + PART + child.content.length, PART),
    );
  const tokens = withBlocks(parsed, content, size);
  for (const token of tokens)
    if (token.children)
      token.children = token.children.flatMap((child) => (child.type === 'template_token' ? replacement(child, content, size) : [child]));
  return withTitle(forNarrowScreens(withAlignmentAsClass(tokens)), content);
}

function replacement(token: Token, content: DocumentContent, size: ContentSize): Token[] {
  const read = readToken(token.content, namesOf(content));
  // An unknown token stays visible. Published types have none, because their templates were checked.
  if (typeof read === 'string' || isBlock(read)) return [textToken(`{{${token.content}}}`)];
  if (read.kind === 'signed_on') return [signedOnToken(partyOf(read.party, content))];
  const source = read.kind !== 'built_in' ? `data_values.${read.name}` : read.name === 'document.title' ? 'title' : 'template';
  return textTokens(textOf(read, content) ?? missing(content), (characters) => size.add(source, characters));
}

function textOf(
  token: Exclude<TemplateToken, BlockToken | { kind: 'signed_on' }>,
  { document, values, language, timeZone }: DocumentContent,
): string | null {
  if (token.kind === 'field') return fieldText(token.property, own(values, token.name), values, { language, timeZone });
  if (token.kind === 'words') return wordsText(token.property, own(values, token.name), values, language);
  if (token.kind === 'sum') {
    const rows = rowsOf(own(values, token.name));
    return token.inWords
      ? totalInWords(token.column, token.property, rows, language)
      : totalText(token.column, token.property, rows, language);
  }
  const builtIn: Record<BuiltIn, () => string | null> = {
    'document.number': () => document.number,
    'document.title': () => document.title,
    'document.created_on': () => dateText(document.created_on, language),
    'document.finalized_on': () => document.finalized_on && dateText(document.finalized_on, language),
  };
  return builtIn[token.name]();
}

/** A paragraph that consists of a single token for a block becomes the block. */
function withBlocks(tokens: readonly Token[], content: DocumentContent, size: ContentSize): Token[] {
  const result: Token[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const block = tokens[index].type === 'paragraph_open' ? blockOf(tokens[index + 1], content, size) : null;
    for (const token of block ?? [tokens[index]]) result.push(token);
    if (block) index += 2;
  }
  return result;
}

function blockOf(inline: Token, content: DocumentContent, size: ContentSize): Token[] | null {
  const [only, ...others] = inline.children ?? [];
  if (only?.type !== 'template_token' || others.length > 0) return null;
  const read = readToken(only.content, namesOf(content));
  if (typeof read === 'string' || !isBlock(read)) return null;
  if (read.kind === 'logo') return [logoToken()];
  if (read.kind === 'signatures') return [signatureToken(read.parties.map((key) => partyOf(key, content)))];
  const count = (characters: number) => size.add(`data_values.${read.name}`, characters);
  return tableTokens(read.property, own(content.values, read.name), content, count);
}

function namesOf({ schema, parties }: DocumentContent): TemplateNames {
  return { schema, parties: parties.map(({ key }) => key) };
}

/** Tokens name parties of the type only. */
function partyOf(key: string, { parties }: DocumentContent): SigningParty {
  return parties.find((party) => party.key === key) as SigningParty;
}

function tableTokens(table: TableField, value: unknown, content: DocumentContent, count: Count): Token[] {
  const columns = inOrder(table.items.properties);
  const rows = rowsOf(value);
  count(rows.length * columns.length * 2 * PART);
  const cells = (row: Record<string, unknown>) =>
    columns.map(([name, property]) => cell('td', property, fieldText(property, own(row, name), row, content) ?? missing(content), count));
  const header = columns.map(([name, property]) => cell('th', property, labelOf(name, property), count));
  // A table without rows still shows its columns and one empty row.
  const body = (rows.length > 0 ? rows : [{}]).map((row) => wrapped('tr', 'tr', cells(row).flat()));
  return wrapped('table', 'table', [
    ...wrapped('thead', 'thead', wrapped('tr', 'tr', header.flat())),
    ...wrapped('tbody', 'tbody', body.flat()),
    ...totalsOf(columns, rows, content, count),
  ]);
}

/** The row with the sums of the columns that have `x-total`; nothing if no row has a value in them. */
function totalsOf(
  columns: [string, ScalarField][],
  rows: readonly Record<string, unknown>[],
  content: DocumentContent,
  count: Count,
): Token[] {
  const sums = columns.map(([name, property]) => (property['x-total'] ? totalText(name, property, rows, content.language) : null));
  if (sums.every((sum) => sum === null)) return [];
  const label = printedWords(content.language).total;
  const texts = sums.map((sum, index) => (index === 0 ? (sum === null ? label : `${label} ${sum}`) : (sum ?? '')));
  const cells = columns.flatMap(([, property], index) => cell('td', property, texts[index], count, 'strong'));
  return wrapped('tfoot', 'tfoot', wrapped('tr', 'tr', cells));
}

function cell(tag: 'td' | 'th', property: ScalarField, text: string, count: Count, emphasis?: 'strong'): Token[] {
  const inline = new MarkdownIt.Token('inline', '', 0);
  const words = textTokens(text, count);
  inline.children =
    emphasis && text !== ''
      ? [new MarkdownIt.Token(`${emphasis}_open`, emphasis, 1), ...words, new MarkdownIt.Token(`${emphasis}_close`, emphasis, -1)]
      : words;
  const [open, ...rest] = wrapped(tag, tag, [inline]);
  if (property.type === 'number' || property.type === 'integer') open.attrSet('style', 'text-align:right');
  return [open, ...rest];
}

function wrapped(type: string, tag: string, inside: Token[]): Token[] {
  const [open, close] = [new MarkdownIt.Token(`${type}_open`, tag, 1), new MarkdownIt.Token(`${type}_close`, tag, -1)];
  open.block = close.block = true;
  return [open, ...inside, close];
}

/** Ensures one level 1 heading: the template's first block below the logo if that is one, or else the title. Others become level 2. */
function withTitle(tokens: Token[], { document }: DocumentContent): Token[] {
  const first = tokens.findIndex(({ type }) => type !== 'logo');
  const hasTitle = tokens[first]?.type === 'heading_open' && tokens[first].tag === 'h1';
  for (const token of hasTitle ? tokens.slice(first + 3) : tokens)
    if (token.type.startsWith('heading_') && token.tag === 'h1') token.tag = 'h2';
  if (hasTitle) return tokens;
  const inline = new MarkdownIt.Token('inline', '', 0);
  inline.children = textTokens(document.title, () => undefined);
  return [...wrapped('heading', 'h1', [inline]), ...tokens];
}

/** Replaces the style attributes that align table cells by classes, because the content security policy forbids inline styles. */
function withAlignmentAsClass(tokens: Token[]): Token[] {
  for (const token of tokens) {
    const side = /^text-align:(right|center)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
    token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null;
    if (side) token.attrSet('class', side);
  }
  return tokens;
}

/** Calls `count` with the length of the text before creating any token for it. */
function textTokens(text: string, count: Count): Token[] {
  count(text.length + PART);
  const lines = text.split(LINE_END);
  count((lines.length - 1) * 2 * PART);
  return lines.flatMap((line, index) => (index === 0 ? [textToken(line)] : [new MarkdownIt.Token('hardbreak', 'br', 0), textToken(line)]));
}

function textToken(text: string): Token {
  const token = new MarkdownIt.Token('text', '', 0);
  token.content = text;
  return token;
}

function missing({ finished }: DocumentContent): string {
  return finished ? NONE : BLANK;
}

function rowsOf(value: unknown): Record<string, unknown>[] {
  return (Array.isArray(value) ? value : []).map((row) =>
    typeof row === 'object' && row !== null ? (row as Record<string, unknown>) : {},
  );
}

function own(values: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
