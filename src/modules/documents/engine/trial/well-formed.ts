import { inflateSync } from 'node:zlib';
import {
  PDFArray,
  PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFObjectParser,
  PDFRawStream,
  PDFRef,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { itemsOf, numberIn } from '../updates/pdf-objects.js';

/** More belong to no file of the size that is accepted. */
const MOST_ENTRIES = 2_000_000;
const MOST_TABLE_BYTES = 32 * 2 ** 20;
/** What a length can count of the line break before `endstream`. */
const LINE_BREAK = 2;
const name = (text: string) => PDFName.of(text);

/**
 * Whether all readers find the same objects in a file: by its tables (ISO 32000-1, 7.5.4 and 7.5.8), which name each object where it
 * stands, and by the lengths of its streams. Readers repair other files in different ways.
 */
export function isWellFormed(pdf: Buffer, document: PDFDocument): boolean {
  return areTablesSound(pdf) && document.context.enumerateIndirectObjects().every(([, object]) => hasItsLength(object));
}

function hasItsLength(object: PDFObject): boolean {
  if (!(object instanceof PDFRawStream)) return true;
  const surplus = numberIn(object.dict, 'Length', -1) - object.getContentsSize();
  return surplus >= 0 && surplus <= LINE_BREAK;
}

/** Where an object stands; null in a stream of objects. */
type Entry = { at: number; generation: number } | null;

interface Table {
  entries: [number: number, entry: Entry][];
  trailer: PDFDict;
}

function areTablesSound(pdf: Buffer): boolean {
  const text = pdf.toString('latin1');
  const objects = new Map<number, Entry>();
  const seen = new Set<number>();
  let size = 0;
  let root: PDFObject | undefined;
  const next = [Number(/^startxref\s+(\d+)\s/.exec(text.slice(text.lastIndexOf('startxref')))?.[1] ?? NaN)];
  for (let at = next.shift(); at !== undefined; at = next.shift()) {
    // a table that is its own predecessor
    if (seen.has(at)) return false;
    seen.add(at);
    const table = tableAt(pdf, text, at, MOST_ENTRIES - objects.size);
    if (!table) return false;
    size = Math.max(size, numberIn(table.trailer, 'Size'));
    root ??= table.trailer.get(name('Root'));
    for (const [number, entry] of table.entries) if (!objects.has(number)) objects.set(number, entry);
    for (const key of ['XRefStm', 'Prev']) {
      const other = table.trailer.get(name(key));
      if (other instanceof PDFNumber) next.push(other.asNumber());
      else if (other !== undefined) return false;
    }
  }
  if (!(root instanceof PDFRef) || !objects.has(root.objectNumber)) return false;
  return [...objects].every(([number, entry]) => number < size && (entry === null || isObjectAt(text, entry, number)));
}

function isObjectAt(text: string, { at, generation }: { at: number; generation: number }, number: number): boolean {
  const header = matchAt(/\s*(\d+)\s+(\d+)\s+obj/y, text, at);
  return header !== null && Number(header[1]) === number && Number(header[2]) === generation;
}

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

/** Null for what is no table. */
function tableAt(pdf: Buffer, text: string, at: number, most: number): Table | null {
  const start = matchAt(/\s*xref\s+/y, text, at);
  try {
    return start ? plainTable(pdf, text, at + start[0].length, most) : streamTable(pdf, text, at, most);
  } catch {
    return null;
  }
}

function plainTable(pdf: Buffer, text: string, from: number, most: number): Table | null {
  const entries: Table['entries'] = [];
  let at = from;
  for (let section = matchAt(/(\d+)\s+(\d+)\s+/y, text, at); section; section = matchAt(/(\d+)\s+(\d+)\s+/y, text, at)) {
    at += section[0].length;
    const [first, count] = [Number(section[1]), Number(section[2])];
    for (let index = 0; index < count; index++) {
      const row = matchAt(/(\d{10}) (\d{5}) ([nf])\s+/y, text, at);
      if (!row || entries.length >= most) return null;
      at += row[0].length;
      // files name what they do not have by the position 0, too
      if (row[3] === 'n' && Number(row[1]) > 0) entries.push([first + index, { at: Number(row[1]), generation: Number(row[2]) }]);
    }
  }
  const start = matchAt(/trailer\s*/y, text, at);
  const trailer = start && objectAt(pdf, at + start[0].length);
  return trailer instanceof PDFDict ? { entries, trailer } : null;
}

function streamTable(pdf: Buffer, text: string, at: number, most: number): Table | null {
  const header = matchAt(/\s*\d+\s+\d+\s+obj\s*/y, text, at);
  const stream = header && objectAt(pdf, at + header[0].length);
  if (!(stream instanceof PDFRawStream) || !hasItsLength(stream) || stream.dict.get(name('Type')) !== name('XRef')) return null;
  const { dict } = stream;
  const widths = numbersIn(dict.get(name('W')));
  const sections = dict.has(name('Index')) ? numbersIn(dict.get(name('Index'))) : [0, numberIn(dict, 'Size')];
  const width = widths.reduce((sum, one) => sum + one, 0);
  const rows = rowsOf(stream, width);
  if (widths.length !== 3 || width === 0 || rows === null) return null;
  const entries: Table['entries'] = [];
  let row = 0;
  for (let section = 0; section + 1 < sections.length; section += 2)
    for (let index = 0; index < sections[section + 1]; index++, row += width) {
      if (row + width > rows.length || entries.length >= most) return null;
      const [kind, value, generation] = fieldsIn(rows, row, widths);
      // a field of the width 0 has the kind 1
      const type = widths[0] === 0 ? 1 : kind;
      if (type === 1 && value > 0) entries.push([sections[section] + index, { at: value, generation }]);
      if (type === 2) entries.push([sections[section] + index, null]);
    }
  return { entries, trailer: dict };
}

function fieldsIn(rows: Uint8Array, from: number, widths: readonly number[]): number[] {
  let at = from;
  return widths.map((width) => {
    let value = 0;
    for (const end = at + width; at < end; at++) value = value * 256 + rows[at];
    return value;
  });
}

function objectAt(pdf: Buffer, at: number): PDFObject {
  return PDFObjectParser.forBytes(pdf.subarray(at), PDFContext.create()).parseObject();
}

function numbersIn(array: PDFObject | undefined): number[] {
  if (!(array instanceof PDFArray)) return [];
  return itemsOf(array).map((one) => (one instanceof PDFNumber && one.asNumber() >= 0 ? one.asNumber() : 0));
}

/** The decoded rows of a table; null if they are compressed in a way that no program uses for tables. */
function rowsOf({ dict, contents }: PDFRawStream, width: number): Uint8Array | null {
  const filter = dict.lookup(name('Filter'));
  const [first, ...others] = filter instanceof PDFArray ? itemsOf(filter) : [filter];
  if (first === undefined) return contents;
  if (first !== name('FlateDecode') || others.length > 0) return null;
  const bytes = inflateSync(contents, { maxOutputLength: MOST_TABLE_BYTES });
  const entry = dict.lookup(name('DecodeParms'));
  const parameters = entry instanceof PDFArray ? entry.lookup(0) : entry;
  const predictor = parameters instanceof PDFDict ? numberIn(parameters, 'Predictor', 1) : 1;
  if (predictor === 1) return bytes;
  return predictor >= 10 && numberIn(parameters as PDFDict, 'Columns', 1) === width ? unpredicted(bytes, width) : null;
}

/** Undoes the prediction of bytes by those beside and above them, as in a PNG (ISO/IEC 15948, 9.2). */
function unpredicted(bytes: Uint8Array, width: number): Uint8Array | null {
  const count = Math.floor(bytes.length / (width + 1));
  const rows = new Uint8Array(count * width);
  for (let row = 0; row < count; row++) {
    const method = bytes[row * (width + 1)];
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      const left = column > 0 ? rows[at - 1] : 0;
      const above = row > 0 ? rows[at - width] : 0;
      const corner = column > 0 && row > 0 ? rows[at - width - 1] : 0;
      const predicted = [0, left, above, (left + above) >> 1, nearest(left, above, corner)][method];
      if (predicted === undefined) return null;
      rows[at] = bytes[row * (width + 1) + 1 + column] + predicted;
    }
  }
  return rows;
}

function nearest(left: number, above: number, corner: number): number {
  const [a, b, c] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}
