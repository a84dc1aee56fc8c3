import MarkdownIt, { type Token } from 'markdown-it';
import { isBarcode, type BarcodeKind } from '../../model/core/barcodes.js';
import { columnsOf, inOrder, labelOf, type ScalarField, type TableField } from '../../model/core/field-schema.js';
import type { Row } from '../../model/expressions/evaluate.js';
import { isImage } from '../../model/core/images.js';
import { barcodeToken } from './barcode.js';
import { imageToken, type ContentImage } from './image.js';
import { PART } from './content-size.js';
import { currencyIn, currencySign, decimalPoint, fieldText, totalText, type PrintedFor } from './field-text.js';
import { printedWords } from './printed-words.js';
import { ownValue, padToken, textTokens, wrapped, type Count } from './text-tokens.js';

/** A code or picture takes as long to draw as some lines. */
const PICTURE_SIZE = 300;

/** How the cells of a table are printed. */
interface TablePrint extends PrintedFor {
  /** What stands for a missing value. */
  missing: string;
  /** Of the document. */
  values: Row;
  images?: Readonly<Record<string, ContentImage>>;
}

/** The texts of a column, from its head to its total. */
interface Column {
  head: string;
  /** Null for a missing value. */
  texts: (string | null)[];
  total: string | null;
  isNumber: boolean;
  barcode: BarcodeKind | null;
  isImage: boolean;
  /** Whether a cell ends with its number, so that decimal points can stand below each other. */
  endsWithNumber: boolean;
}

/** A table with a column for each field. A currency that all amounts of a column have stands in its head, and not in each cell. */
export function tableTokens(table: TableField, rows: readonly Row[], print: TablePrint, count: Count): Token[] {
  const fields = inOrder(columnsOf(table, (name) => ownValue(print.values, name)));
  count(rows.length * fields.length * 2 * PART);
  // A table without rows still shows its columns and one empty row.
  const shown = rows.length > 0 ? rows : [{}];
  const columns = fields.map(([name, property]) => columnOf(name, property, shown, print));
  const pads = columns.map((column) => padsOf(column, print.language));
  const body = shown.map((_, row) =>
    columns.flatMap((column, index) => {
      const text = column.texts[row];
      if (column.isImage) return imageCell(column, text, print, count);
      return column.barcode !== null && text !== null
        ? barcodeCell(column.barcode, text, count)
        : cell('td', column, text ?? print.missing, pads[index](text), count);
    }),
  );
  return wrapped('table', 'table', [
    ...wrapped(
      'thead',
      'thead',
      wrapped(
        'tr',
        'tr',
        columns.flatMap((column) => cell('th', column, column.head, '', count)),
      ),
    ),
    ...wrapped(
      'tbody',
      'tbody',
      body.flatMap((cells) => wrapped('tr', 'tr', cells)),
    ),
    ...totalsOf(columns, pads, print, count),
  ]);
}

function columnOf(name: string, property: ScalarField, rows: readonly Row[], print: TablePrint): Column {
  const currency = property['x-format'] === 'money' ? onlyCurrency(name, property, rows) : null;
  const given = currency === null ? print : { ...print, currency: 'none' as const };
  const label = labelOf(name, property);
  const isNumber = property.type === 'number' || property.type === 'integer';
  return {
    head: currency ? `${label} (${currencySign(currency, print)})` : label,
    texts: rows.map((row) => fieldText(property, ownValue(row, name), row, given)),
    total: property['x-total'] ? totalText(name, property, rows, given) : null,
    isNumber,
    barcode: isBarcode(property['x-format']) ? property['x-format'] : null,
    isImage: isImage(property),
    endsWithNumber: isNumber && (property['x-format'] !== 'money' || currency !== null),
  };
}

/** The currency of all amounts of a column: empty if the field has none, null if there are several or one is unknown. */
function onlyCurrency(name: string, property: ScalarField, rows: readonly Row[]): string | null {
  const given = rows.filter((row) => typeof ownValue(row, name) === 'number');
  const currencies = new Set((given.length > 0 ? given : [{}]).map((row) => currencyIn(property, row)));
  const [only] = currencies;
  return currencies.size === 1 ? only : null;
}

/** What is added to a text so that its decimal point stands below those of the others. */
function padsOf({ texts, total, endsWithNumber }: Column, language: string): (text: string | null) => string {
  if (!endsWithNumber) return () => '';
  const point = decimalPoint(language);
  const fractionOf = (text: string) => (text.includes(point) ? text.slice(text.lastIndexOf(point)) : '');
  const longest = [...texts, total].reduce<string>((found, text) => {
    const fraction = fractionOf(text ?? '');
    return fraction.length > found.length ? fraction : found;
  }, '');
  return (text) => (text === null ? '' : longest.slice(fractionOf(text).length));
}

/** The row with the sums of the columns that have `x-total`; nothing if no row has a value in them. */
function totalsOf(
  columns: readonly Column[],
  pads: readonly ((text: string | null) => string)[],
  print: TablePrint,
  count: Count,
): Token[] {
  if (columns.every(({ total }) => total === null)) return [];
  const label = printedWords(print.language).total;
  const texts = columns.map(({ total }, index) => (index === 0 ? (total === null ? label : `${label} ${total}`) : (total ?? '')));
  const cells = columns.flatMap((column, index) => cell('td', column, texts[index], pads[index](column.total), count, 'strong'));
  return wrapped('tfoot', 'tfoot', wrapped('tr', 'tr', cells));
}

function imageCell(column: Column, reference: string | null, { images = {}, missing }: TablePrint, count: Count): Token[] {
  const image = reference !== null && Object.hasOwn(images, reference) ? images[reference] : undefined;
  if (!image || reference === null) return cell('td', column, missing, '', count);
  count(PICTURE_SIZE);
  const inline = new MarkdownIt.Token('inline', '', 0);
  inline.children = [imageToken(reference, image, { place: 'cell', alt: column.head, width: null })];
  return wrapped('td', 'td', [inline]);
}

function barcodeCell(kind: BarcodeKind, text: string, count: Count): Token[] {
  count(PICTURE_SIZE);
  const inline = new MarkdownIt.Token('inline', '', 0);
  inline.children = [barcodeToken(kind, text)];
  return wrapped('td', 'td', [inline]);
}

function cell(tag: 'td' | 'th', { isNumber }: Column, text: string, pad: string, count: Count, emphasis?: 'strong'): Token[] {
  const inline = new MarkdownIt.Token('inline', '', 0);
  const words = [...textTokens(text, count), ...(pad === '' ? [] : [padToken(pad)])];
  inline.children =
    emphasis && text !== ''
      ? [new MarkdownIt.Token(`${emphasis}_open`, emphasis, 1), ...words, new MarkdownIt.Token(`${emphasis}_close`, emphasis, -1)]
      : words;
  const [open, ...rest] = wrapped(tag, tag, [inline]);
  if (isNumber) open.attrSet('style', 'text-align:right');
  return [open, ...rest];
}
