import { PDFDocument, PDFOperator, PDFOperatorNames, type PDFEmbeddedPage, type PDFPage } from '@cantoo/pdf-lib';
import { TagTree } from '../tags/tag-tree.js';
import { printable } from '../typst/glyphs.js';
import { typeset } from '../typst/typst.js';

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
 * Chinese characters.
 */
export async function stampPdf(pdf: Uint8Array, stamps: readonly Stamp[], language: string): Promise<Buffer> {
  const document = await PDFDocument.load(pdf, { forIncrementalUpdate: true, updateMetadata: false });
  const numbers = [...new Set(stamps.map(({ page }) => page))];
  const boxes = numbers.map((number) => document.getPage(number - 1).getCropBox());
  const files: Record<string, Uint8Array> = {};
  const pages = numbers.map((number, index) => {
    const { width, height } = boxes[index];
    const onPage = stamps.filter(({ page }) => page === number);
    return { width, height, stamps: onPage.map((stamp) => stampData(stamp, width, height, files)) };
  });
  const overlay = typeset('stamps', { language, data: { language: new Intl.Locale(language).language, pages }, files, isPart: true }).pdf;
  const overlays = await document.embedPdf(
    overlay,
    numbers.map((_, index) => index),
  );
  const tags = TagTree.of(document);
  numbers.forEach((number, index) => {
    const page = document.getPage(number - 1);
    const text = stamps.filter((stamp) => stamp.page === number).map((stamp) => stamp.text);
    drawTagged(page, overlays[index], tags?.addContent(page, 'P', text.join(', ')) ?? null);
  });
  return Buffer.from(await document.commit({ useObjectStreams: false }));
}

/** `mark`: the MCID of the overlay's tag; null for a page without tags. */
function drawTagged(page: PDFPage, overlay: PDFEmbeddedPage, mark: number | null): void {
  const draw = () => page.drawPage(overlay, page.getCropBox());
  if (mark === null) return draw();
  page.pushOperators(PDFOperator.of(PDFOperatorNames.BeginMarkedContentSequence, ['/P', `<</MCID ${mark}>>`]));
  draw();
  page.pushOperators(PDFOperator.of(PDFOperatorNames.EndMarkedContent));
}

/** A stamp in points, as the template reads it; its drawing is added to `files`. */
function stampData(
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
