import {
  decodePDFRawStream,
  PDFArray,
  PDFContentStream,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFStream,
  type PDFObject,
  type PDFPage,
  type PDFRef,
} from '@cantoo/pdf-lib';
import { FileFault, onFile } from '../reading/file-fault.js';
import { TagTree } from '../tags/tag-tree.js';
import { printable } from '../typst/glyphs.js';
import { typeset } from '../typst/typst.js';
import { matrixOf, shownPage, type ShownPage } from './page-box.js';
import { balanceOf } from './page-contents.js';

/** Text or a drawing to print on a page. Positions are fractions of the page, from its top left corner. */
export interface Stamp {
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
  /** What it says: of a drawing, whose it is. */
  text: string;
  /** A signature is set in a larger italic type. */
  isSignature: boolean;
  png: Uint8Array | null;
}

/**
 * Prints stamps on a file and tags them, as an incremental update, which keeps its bytes. `language` (BCP 47) determines the variants of
 * Chinese characters. Rejects with FileFault if the file cannot be changed.
 */
export async function stampPdf(pdf: Uint8Array, stamps: readonly Stamp[], language: string): Promise<Buffer> {
  const numbers = [...new Set(stamps.map(({ page }) => page))];
  const { document, shown } = await onFile(async () => {
    const loaded = await PDFDocument.load(pdf, { forIncrementalUpdate: true, updateMetadata: false });
    return { document: loaded, shown: numbers.map((number) => shownOrFault(loaded.getPage(number - 1))) };
  });
  const files: Record<string, Uint8Array> = {};
  const pages = numbers.map((number, index) => {
    const { width, height } = shown[index];
    const onPage = stamps.filter(({ page }) => page === number);
    return { width, height, stamps: onPage.map((stamp) => stampData(stamp, width, height, files)) };
  });
  const overlay = typeset('stamps', { language, data: { language: new Intl.Locale(language).language, pages }, files, isPart: true }).pdf;
  return onFile(async () => {
    const overlays = await document.embedPdf(
      overlay,
      numbers.map((_, index) => index),
    );
    const tags = TagTree.of(document);
    numbers.forEach((number, index) => {
      const page = document.getPage(number - 1);
      const text = stamps.filter((stamp) => stamp.page === number).map((stamp) => stamp.text);
      const mark = tags?.addContent(page, 'P', text.join(', ')) ?? null;
      drawOver(page, overlays[index].ref, shown[index], mark);
    });
    return Buffer.from(await document.commit({ useObjectStreams: false }));
  });
}

export function shownOrFault(page: PDFPage): ShownPage {
  const shown = shownPage(page);
  if (!shown) throw new FileFault('A page has no area.');
  return shown;
}

/**
 * Draws an overlay of the size of the shown page over it, whatever state the contents of the page leave behind. Pages can share
 * their contents and resources, so the page gets lists of its own. `mark`: the MCID of the overlay's tag; null for a page without tags.
 */
function drawOver({ node, doc: { context } }: PDFPage, overlay: PDFRef, shown: ShownPage, mark: number | null): void {
  const resources = node.Resources()?.clone(context) ?? context.obj({});
  const objects = resources.lookupMaybe(PDFName.of('XObject'), PDFDict)?.clone(context) ?? context.obj({});
  const name = objects.uniqueKey('Stamp');
  objects.set(name, overlay);
  resources.set(PDFName.of('XObject'), objects);
  node.set(PDFName.of('Resources'), resources);
  const contents = contentsOf(node.get(PDFName.of('Contents')), context);
  const { repaired, closing } = balanceOf(Buffer.concat(contents.flatMap(({ bytes }) => [bytes, NEW_LINE])));
  const [begin, end] = mark === null ? ['', ''] : [`/P <</MCID ${mark}>> BDC\n`, '\nEMC'];
  const stream = (bytes: Uint8Array | string): PDFRef => context.register(context.flateStream(bytes));
  const old = repaired ? [stream(repaired)] : contents.map(({ ref, bytes, isMeasured }) => (isMeasured ? ref : stream(bytes)));
  const drawing = `\n${closing} Q\n${begin}q ${matrixOf(shown).join(' ')} cm ${name.toString()} Do Q${end}\n`;
  // viewers do not agree about a CropBox outside of the MediaBox
  const { x, y, width, height } = shown.box;
  node.set(PDFName.of('CropBox'), context.obj([x, y, x + width, y + height]));
  node.set(PDFName.of('Contents'), context.obj([stream('q\n'), ...old, stream(drawing)]));
}

const NEW_LINE = Buffer.from('\n');

/** A stream of the contents of a page. */
interface Part {
  ref: PDFObject;
  /** Decoded. */
  bytes: Uint8Array;
  isMeasured: boolean;
}

/** The streams that make up the contents of a page; viewers ignore entries that are none. */
function contentsOf(contents: PDFObject | undefined, context: PDFDocument['context']): Part[] {
  const found = context.lookup(contents);
  const refs = found instanceof PDFArray ? found.asArray() : contents ? [contents] : [];
  return refs.flatMap((ref) => {
    const stream = context.lookup(ref);
    return stream instanceof PDFStream ? [{ ref, bytes: bytesOf(stream), isMeasured: isMeasured(stream) }] : [];
  });
}

/** Whether /Length is that of the stream. With a larger one, some viewers read what follows it as part of the page, others do not. */
function isMeasured(stream: PDFStream): boolean {
  const length = stream.dict.lookup(PDFName.of('Length'));
  return !(stream instanceof PDFRawStream) || (length instanceof PDFNumber && length.asNumber() === stream.getContentsSize());
}

function bytesOf(stream: PDFStream): Uint8Array {
  if (stream instanceof PDFContentStream) return stream.getUnencodedContents();
  if (!(stream instanceof PDFRawStream)) return stream.getContents();
  const entry = stream.dict.lookup(PDFName.of('DecodeParms'));
  const parameters = entry instanceof PDFArray ? entry.asArray().map((one) => stream.dict.context.lookup(one)) : [entry];
  for (const one of parameters)
    if (one instanceof PDFDict && (one.lookupMaybe(PDFName.of('Predictor'), PDFNumber)?.asNumber() ?? 1) > 1)
      throw new FileFault('The contents of a page are compressed as an image.');
  return decodePDFRawStream(stream).decode();
}

/** A stamp in points, as the template reads it; its drawing is added to `files`. */
export function stampData(
  { x, y, w, h, text, isSignature, png }: Stamp,
  width: number,
  height: number,
  files: Record<string, Uint8Array>,
): object {
  const image = png && `/drawing-${Object.keys(files).length}.png`;
  if (png && image) files[image] = png;
  return {
    x: x * width,
    y: y * height,
    width: w * width,
    height: h * height,
    text: printable(text).replace(/\s+/g, ' '),
    is_signature: isSignature,
    image,
  };
}
