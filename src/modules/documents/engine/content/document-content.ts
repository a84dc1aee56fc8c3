import MarkdownIt from 'markdown-it';
import { invalid, type ReadDocumentToken } from '../../../../kit/index.js';
import { Calculation, currencyAt, TooMuchToCalculate, type Place, type Row } from '../../model/expressions/evaluate.js';
import { decimalText, NumberTooLarge, rounded } from '../../model/expressions/exact.js';
import type { Expression } from '../../model/expressions/expression.js';
import type { RowScope } from '../../model/expressions/scope.js';
import { columnsOf, labelOf, type FieldSchema, type ScalarField, type TableField } from '../../model/core/field-schema.js';
import {
  defaultTemplate,
  isBlock,
  readToken,
  type BlockToken,
  type Printed,
  type TemplateNames,
  type TemplateToken,
} from './document-template.js';
import type { LayoutDto } from '../../model/types/layout.dto.js';
import { BARCODE_NOUNS, isEncodable } from '../../model/core/barcodes.js';
import { barcodeToken } from './barcode.js';
import { codeToken, COLUMN_TOKENS, pageBreakToken } from './block-tokens.js';
import { ContentSize, PART } from './content-size.js';
import { dateText, fieldText, resultInWords, resultText, totalInWords, totalText, wordsText, type PrintedFor } from './field-text.js';
import { imageToken, LEAST_WIDTH, type ContentImage } from './image.js';
import { forNarrowScreens } from './table-labels.js';
import { parsed, type Token } from './markdown.js';
import { paymentText } from './payment-code.js';
import { TOKEN_TEXT } from './section-tree.js';
import { rowsIn, Sections } from './sections.js';
import { logoToken, placedToken, signatureToken, signedOnToken, type SigningParty } from './signing-tokens.js';
import { tableTokens } from './table-tokens.js';
import type { BuiltIn } from './template-scope.js';
import { typesOf } from './module-tokens.js';
import { ownValue, textToken, textTokens, wrapped } from './text-tokens.js';

/** A custom field as printed; `holds` is false for a boolean that is. */
export interface PrintedField {
  text: string;
  holds: boolean;
}

/** The complete input of a rendering: the same content always gives the same bytes. */
export interface DocumentContent {
  /** Null for the default layout of the schema. */
  template: string | null;
  schema: FieldSchema;
  values: Record<string, unknown>;
  /** Custom fields of the document by key. */
  customFields?: Readonly<Record<string, PrintedField>>;
  /** Values of the tokens of modules, as they were read for the document. */
  tokens?: Readonly<Record<string, ReadDocumentToken>>;
  /** The parties of the type, which tokens of the template can name. */
  parties: readonly SigningParty[];
  document: { number: string | null; title: string; created_on: string; finalized_on: string | null };
  /** BCP 47. Used to format numbers and dates, and by screen readers. */
  language: string;
  /** Of the project. */
  timeZone: string;
  /** The pictures that values name, by reference, as far as they exist. */
  images?: Readonly<Record<string, ContentImage>>;
  /** Null for A4 with the standard margins, header and footer. */
  layout?: LayoutDto | null;
  /** For a missing value an unfinished document shows a line to fill in, a finished one a dash. */
  finished: boolean;
}

const BLANK = '________';
const NONE = '—';
/** Phones do not read denser codes from paper. */
const LONGEST_CODE = 1_000;
const CODE_SIZE = 1_500;
/** The widest picture, in millimeters. */
const MOST_IMAGE = 400;

/** The document as Markdown tokens with every template token replaced, for both HTML and PDF. Rejects documents that are too long. */
export function contentTokens(content: DocumentContent): Token[] {
  try {
    return new Rendering(content).tokens();
  } catch (error) {
    if (!(error instanceof TooMuchToCalculate || error instanceof NumberTooLarge)) throw error;
    throw invalid('data_values', `cannot be printed: ${error.message}`);
  }
}

/** A header or footer as printed: up to three parts, with the counters of pages between texts. */
export type RunningLine = (string | { counter: 'page' | 'pages' })[][];

const INLINE_TOKEN = new RegExp(String.raw`\{\{(${TOKEN_TEXT})\}\}`, 'g');
const PAGE_TOKEN = /\{\{\s*(pages?)\s*\}\}/;

/** The lines above and below the pages, as the layout has them; null for the standard one. */
export function runningLines(content: DocumentContent): Record<'header' | 'footer' | 'first_header' | 'first_footer', RunningLine | null> {
  const rendering = new Rendering(content);
  const line = (text: string | null | undefined) => (text === null || text === undefined ? null : rendering.running(text));
  const { header, footer, first_header, first_footer } = content.layout ?? {};
  return { header: line(header), footer: line(footer), first_header: line(first_header), first_footer: line(first_footer) };
}

class Rendering {
  private readonly size = new ContentSize();
  private readonly calculation = new Calculation();
  private readonly sections: Sections;
  private readonly names: TemplateNames;
  private readonly print: PrintedFor;
  /** The columns of the tables that tokens name. */
  private readonly columns = new Map<string, Record<string, ScalarField>>();
  private readonly known = new Map<readonly RowScope[], Map<string, TemplateToken | string>>();

  constructor(private readonly content: DocumentContent) {
    const { schema, values, document, parties, customFields = {}, tokens = {} } = content;
    const properties = [
      ...Object.entries(tokens).map(([name, { value }]) => [name, value] as const),
      ...Object.entries(document).map(([name, value]) => [`document.${name}`, value] as const),
      ...Object.entries(customFields).map(([key, { text, holds }]) => [`custom_fields.${key}`, holds ? text : null] as const),
    ];
    const place = { values: { ...values, ...Object.fromEntries(properties) }, rows: {}, groups: {} };
    // what sections repeat is limited before it is made, and counts again when it is parsed
    const repeated = new ContentSize();
    const count = (table: string, characters: number) => repeated.add(`data_values.${table}`, characters);
    this.names = { schema, parties: parties.map(({ key }) => key), tokens: typesOf(tokens) };
    this.sections = new Sections(this.names, place, this.calculation, count);
    this.print = { language: content.language, timeZone: content.timeZone, currency: content.layout?.currency };
  }

  tokens(): Token[] {
    const { template, schema, language } = this.content;
    const written = parsed(template === null ? defaultTemplate(schema, language) : this.sections.expand(template));
    for (const token of written)
      this.size.add(
        'template',
        (token.children ?? []).reduce((sum, child) => sum + PART + child.content.length, PART),
      );
    const tokens = this.withBlocks(written);
    for (const token of tokens)
      if (token.children)
        token.children = token.children.flatMap((child) => (child.type === 'template_token' ? this.replacement(child) : [child]));
    return withTitle(forNarrowScreens(withAlignmentAsClass(tokens)), this.content);
  }

  /** A header or footer: its lines, divided into parts at the left, in the center and at the right. */
  running(line: string): RunningLine {
    const parts = line.split('|').map((part) => part.trim());
    return parts.map((part) =>
      part.split(PAGE_TOKEN).flatMap((piece, index): RunningLine[number] => {
        if (index % 2 === 1) return [{ counter: piece as 'page' | 'pages' }];
        const text = piece.replace(INLINE_TOKEN, (whole, inside: string) => this.plain(inside) ?? whole);
        return text === '' ? [] : [text];
      }),
    );
  }

  private plain(inside: string): string | null {
    const { token, place } = this.read(inside);
    if (typeof token === 'string' || isBlock(token) || token.kind === 'signed_on' || token.kind === 'placed') return null;
    return (this.text(token, place) ?? missing(this.content)).replace(/\s+/g, ' ');
  }

  private read(inside: string): { token: TemplateToken | string; place: Place } {
    const [text, { rows, place }] = this.sections.placeOf(inside);
    let known = this.known.get(rows);
    if (!known) this.known.set(rows, (known = new Map()));
    let token = known.get(text);
    if (token === undefined) known.set(text, (token = readToken(text, this.names, rows)));
    return { token, place };
  }

  private replacement({ content: inside }: Token): Token[] {
    const { token, place } = this.read(inside);
    // An unknown token stays visible. Published types have none, because their templates were checked.
    if (typeof token === 'string' || isBlock(token)) return [textToken(`{{${inside}}}`)];
    if (token.kind === 'signed_on') return [signedOnToken(partyOf(token.party, this.content))];
    if (token.kind === 'placed') return [placedToken(token.field)];
    const source = sourceOf(token);
    return textTokens(this.text(token, place) ?? missing(this.content), (characters) => this.size.add(source, characters));
  }

  private text(token: Exclude<TemplateToken, BlockToken | { kind: 'signed_on' | 'placed' }>, place: Place): string | null {
    const { document, language } = this.content;
    if (token.kind === 'words') return this.words(token.of, place);
    if (token.kind === 'sum') {
      const rows = rowsIn(place, token.name);
      const property = this.columnOf(token.name, token.column);
      return token.inWords ? totalInWords(token.column, property, rows, language) : totalText(token.column, property, rows, this.print);
    }
    if (token.kind === 'expression') {
      const { expression } = token;
      return resultText(this.calculation.value(expression, place), expression.type, place, this.print);
    }
    if (token.kind === 'built_in') {
      const builtIn: Partial<Record<BuiltIn, () => string | null>> = {
        'document.number': () => document.number,
        'document.title': () => document.title,
        'document.created_on': () => dateText(document.created_on, language),
        'document.finalized_on': () => document.finalized_on && dateText(document.finalized_on, language),
      };
      return builtIn[token.name]?.() ?? this.customField(token.name);
    }
    const record = recordOf(token, place);
    return fieldText(this.propertyOf(token), ownValue(record, token.name), record, this.print);
  }

  private customField(name: string): string | null {
    const { customFields = {} } = this.content;
    const key = name.slice(name.indexOf('.') + 1);
    return name.startsWith('custom_fields.') && Object.hasOwn(customFields, key) ? customFields[key].text : null;
  }

  private words(of: Printed, place: Place): string | null {
    const { language } = this.content;
    if (of.kind === 'expression') return resultInWords(this.calculation.value(of.expression, place), of.expression.type, place, language);
    const record = recordOf(of, place);
    return wordsText(this.propertyOf(of), ownValue(record, of.name), record, language);
  }

  private propertyOf(token: Exclude<Printed, { kind: 'expression' }>): ScalarField {
    return token.kind === 'column' ? this.columnOf(token.table, token.name) : token.property;
  }

  /** A column of a table that tokens name. */
  private columnOf(table: string, column: string): ScalarField {
    const { schema, values } = this.content;
    let columns = this.columns.get(table);
    if (!columns) this.columns.set(table, (columns = columnsOf(schema.properties[table] as TableField, (name) => ownValue(values, name))));
    return columns[column];
  }

  /** A paragraph that consists of a single token for a block becomes the block. */
  private withBlocks(tokens: readonly Token[]): Token[] {
    const result: Token[] = [];
    for (let index = 0; index < tokens.length; index++) {
      const block = tokens[index].type === 'paragraph_open' ? this.block(tokens[index + 1]) : null;
      for (const token of block ?? [tokens[index]]) result.push(token);
      if (block) index += 2;
    }
    return result;
  }

  private block(inline: Token): Token[] | null {
    const [only, ...others] = inline.children ?? [];
    if (only?.type !== 'template_token' || others.length > 0) return null;
    const { token, place } = this.read(only.content);
    if (typeof token === 'string' || !isBlock(token)) return null;
    switch (token.kind) {
      case 'logo':
        return [logoToken()];
      case 'page_break':
        return [pageBreakToken()];
      case 'signatures':
        return [signatureToken(token.parties.map((key) => partyOf(key, this.content)))];
      case 'qr':
      case 'payment_qr':
        return this.code(token, place);
      case 'barcode':
        return this.barcode(token, place);
      case 'image':
        return this.image(token, place);
      case 'table':
        return this.table(token, place);
      default:
        return [...COLUMN_TOKENS[token.kind]];
    }
  }

  private table(token: Extract<BlockToken, { kind: 'table' }>, place: Place): Token[] {
    const count = (characters: number) => this.size.add(`data_values.${token.name}`, characters);
    return tableTokens(
      token.property,
      rowsIn(place, token.name),
      { ...this.print, missing: missing(this.content), values: place.values, images: this.content.images },
      count,
    );
  }

  /** Nothing while a value is missing, or if no bank could read the code. */
  private code(token: Extract<BlockToken, { kind: 'qr' | 'payment_qr' }>, place: Place): Token[] {
    if (token.kind === 'qr') {
      const text = this.calculation.value(token.text, place);
      return typeof text === 'string' ? this.codeTokens(text, text) : [];
    }
    const [name, iban, amount, reference] = token.payment.map((one) => this.calculation.value(one, place));
    const { currency } = token.payment[2].type;
    if (typeof name !== 'string' || typeof iban !== 'string' || typeof amount !== 'object' || amount === null) return [];
    if (currencyAt(currency ?? '', place) !== 'EUR') return [];
    const text = paymentText({ name, iban, amount: rounded(amount, 0).units, reference: typeof reference === 'string' ? reference : '' });
    return text === null ? [] : this.codeTokens(text, `${name} ${iban}`);
  }

  /** Nothing while the text is missing. Texts of fields were checked when they were sent, others are not. */
  private barcode({ text: given, as }: Extract<BlockToken, { kind: 'barcode' }>, place: Place): Token[] {
    const text = this.calculation.value(given, place);
    if (typeof text !== 'string' || text === '') return [];
    if (!isEncodable(as, text))
      throw invalid('data_values', `has a text for a barcode that is not ${BARCODE_NOUNS[as]}: ${text.slice(0, 60)}`);
    this.size.add('template', CODE_SIZE);
    const inline = new MarkdownIt.Token('inline', '', 0);
    inline.children = [barcodeToken(as, text)];
    return wrapped('barcode', 'p', [inline]);
  }

  /** Nothing while there is none. */
  private image({ of, width, alt }: Extract<BlockToken, { kind: 'image' }>, place: Place): Token[] {
    const value = (one: Expression | null) => (one === null ? null : this.calculation.value(one, place));
    const reference = value(of.expression);
    const image = typeof reference === 'string' ? imageNamed(reference, this.content) : undefined;
    if (!image) return [];
    this.size.add('template', CODE_SIZE);
    const [wide, described] = [value(width), value(alt)];
    const millimeters = typeof wide === 'object' && wide !== null ? Number(decimalText(wide)) : null;
    const name = of.expression.kind === 'column' ? of.expression.column : of.expression.kind === 'field' ? of.expression.name : '';
    const inline = new MarkdownIt.Token('inline', '', 0);
    inline.children = [
      imageToken(reference as string, image, {
        place: 'block',
        alt: typeof described === 'string' ? described : labelOf(name, of.property),
        width: millimeters === null ? null : Math.min(Math.max(millimeters, LEAST_WIDTH), MOST_IMAGE),
      }),
    ];
    return wrapped('picture', 'p', [inline]);
  }

  private codeTokens(text: string, label: string): Token[] {
    if (text.length > LONGEST_CODE) throw invalid('data_values', `has a text of more than ${LONGEST_CODE} characters for a QR code`);
    // a code takes as long to make and to draw as a page
    this.size.add('template', CODE_SIZE);
    return [codeToken(text, label)];
  }
}

/** Undefined if it was not uploaded. */
function imageNamed(reference: string, { images = {} }: DocumentContent): ContentImage | undefined {
  return Object.hasOwn(images, reference) ? images[reference] : undefined;
}

function sourceOf(token: Exclude<TemplateToken, BlockToken | { kind: 'signed_on' | 'placed' }>): string {
  if (token.kind === 'words') return sourceOf(token.of);
  if (token.kind === 'column') return `data_values.${token.table}`;
  if (token.kind === 'field' || token.kind === 'sum') return `data_values.${token.name}`;
  return token.kind === 'built_in' && token.name === 'document.title' ? 'title' : 'template';
}

function recordOf(token: Exclude<Printed, { kind: 'expression' }>, { values, rows }: Place): Row {
  return token.kind === 'column' ? (rows[token.table] ?? {}) : values;
}

/** Tokens name parties of the type only. */
function partyOf(key: string, { parties }: DocumentContent): SigningParty {
  return parties.find((party) => party.key === key) as SigningParty;
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

function missing({ finished }: DocumentContent): string {
  return finished ? NONE : BLANK;
}
