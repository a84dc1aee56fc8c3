import { deflateSync } from 'node:zlib';
import {
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFRef,
  PDFStream,
  PDFXRefStreamParser,
  type PDFContext,
  type PDFObject,
  type PDFPage,
} from '@cantoo/pdf-lib';

/** Opens a file for changes that are appended to it, which keeps its bytes. Blocks the thread. */
export async function openForUpdate(pdf: Uint8Array): Promise<PDFDocument> {
  limitTables();
  const document = await PDFDocument.load(pdf, { forIncrementalUpdate: true, updateMetadata: false, parseSpeed: ParseSpeeds.Fastest });
  trackChanges(document.context);
  compressNatively(document.context);
  return document;
}

/** The library compresses in JavaScript, which takes ten times as long for the short streams that are drawn on pages. */
function compressNatively(context: PDFContext): void {
  context.flateStream = (contents, dict) => {
    const bytes = typeof contents === 'string' ? Buffer.from(contents, 'latin1') : contents;
    return context.stream(deflateSync(bytes), { ...dict, Filter: 'FlateDecode' });
  };
}

/**
 * The library looks through the whole file at each change for the object that contains what was changed. Here it is looked up. Objects
 * that are added are part of the update anyway.
 */
function trackChanges(context: PDFContext): void {
  const owners = new Map<PDFObject, PDFRef>();
  const { Info: info } = context.trailerInfo;
  const absent = new Set<number>(info instanceof PDFRef ? [info.objectNumber] : []);
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    const found: PDFObject[] = [object];
    for (let one = found.pop(); one !== undefined; one = found.pop()) {
      if (one instanceof PDFStream) found.push(one.dict);
      if (one instanceof PDFRef && one.objectNumber > context.largestObjectNumber) absent.add(one.objectNumber);
      if (!(one instanceof PDFDict || one instanceof PDFArray || one instanceof PDFStream)) continue;
      owners.set(one, ref);
      if (one instanceof PDFDict) found.push(...one.values());
      if (one instanceof PDFArray) for (const item of one.asArray()) found.push(item);
    }
  }
  context.registerObjectChange = (object) => {
    const ref = owners.get(object);
    if (ref) context.snapshot?.markRefForSave(ref);
  };
  // what refers to an object that the file does not have would refer to a new one of its number
  const next = context.nextRef.bind(context);
  context.nextRef = () => {
    while (absent.has(context.largestObjectNumber + 1)) context.largestObjectNumber++;
    return next();
  };
}

/** What the library's parser of a stream of objects has read; it does not declare it. */
interface Table {
  subsections: { firstObjectNumber: number; length: number }[];
  byteWidths: number[];
  bytes: { length: number };
}

let areTablesLimited = false;

/** The library makes an entry for each object that a table announces, also for two billion that it does not contain. */
function limitTables(): void {
  if (areTablesLimited) return;
  areTablesLimited = true;
  const { prototype } = PDFXRefStreamParser;
  const parse = Object.getOwnPropertyDescriptor(prototype, 'parseIntoContext')?.value as typeof prototype.parseIntoContext;
  prototype.parseIntoContext = function (this: PDFXRefStreamParser) {
    const { subsections, byteWidths, bytes } = this as unknown as Table;
    const width = byteWidths.reduce((sum, one) => sum + Math.max(0, one), 0);
    let left = width === 0 ? 0 : Math.floor(bytes.length / width);
    for (const section of subsections) {
      section.length = Math.min(section.length, left);
      left -= section.length;
    }
    return parse.call(this);
  };
}

/**
 * The file with the changes at its end, in the form of the file: a table of objects behind a table, a stream behind a stream, because
 * ISO 32000-1, 7.5.8.4 defines no other mixture, and some readers reject it.
 */
export async function updated(document: PDFDocument): Promise<Buffer> {
  const { originalBytes, prevStartXRef } = document.context.pdfFileDetails;
  const table = Buffer.from(originalBytes?.subarray(prevStartXRef, prevStartXRef + 40) ?? []).toString('latin1');
  return Buffer.from(await document.commit({ objectsPerTick: Infinity, useObjectStreams: /^\s*\d+\s+\d+\s+obj\b/.test(table) }));
}

/** Unlike the library's own way, it leaves the contents of the page as they are: another signature can cover them. */
export function addAnnotation({ node, doc: { context } }: PDFPage, annotation: PDFRef): void {
  node.set(PDFName.of('Annots'), context.obj([...(node.Annots()?.asArray() ?? []), annotation]));
}
