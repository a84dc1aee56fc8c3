import type { PDFDocument, PDFPage, PDFRef } from '@cantoo/pdf-lib';
import { FileFault, onFile } from '../reading/file-fault.js';
import { isSigned } from '../signatures/signatures.js';
import { TagTree } from '../tags/tag-tree.js';
import type { Face } from '../../model/records/signature-party.entity.js';
import { RIGHT_TO_LEFT } from '../pictures/bidi-lines.js';
import { printable } from '../typst/glyphs.js';
import { typeset } from '../typst/typst.js';
import { openForUpdate, updated } from '../updates/file-update.js';
import { matrixOf, shownPage, type ShownPage } from './page-box.js';
import { annotate, type Annotation } from './annotations.js';
import { drawOver } from './page-drawing.js';

/** Between the frame of a form field and its text, in points. */
const PADDING = 2;
/** Of the width and the height of a form field, on each side. */
const MOST_INSET = 0.2;
const CHARACTERS = new Intl.Segmenter();

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
  /** The type of a signature; null for that of the text. */
  face?: Face | null;
  /** A mark in a box that was ticked fills it. */
  isMark?: boolean;
  png: Uint8Array | null;
  /** Whether it keeps its line breaks; it begins at the top of its box then. */
  isMultiline?: boolean;
  /** Width of the frame of the form field that the box is, in points; what is printed keeps clear of it. */
  frame?: number;
  /** Cells of the same width, each for a character; a text that has more, or is read from the right, is printed without them. */
  cells?: number;
  look?: Look;
}

/** How the value of a form field is printed. */
export interface Look {
  /** Of the type, in points; it is smaller if the text does not fit otherwise. */
  size: number;
  align: 'left' | 'center' | 'right';
  /** Whether lines begin at the top of the box, and the text keeps its own. */
  isTop: boolean;
  /** As `#rrggbb`. */
  color: string;
  /** Behind the text. */
  fill?: string;
}

/** A form whose fields take the stamps that stand in them. */
export interface FormToFill {
  /** `overlay` is as large as the page, with all of the stamps. */
  fill(page: PDFPage, shown: ShownPage, stamps: readonly Stamp[], overlay: PDFRef): void;
}

/**
 * Prints stamps on a file and tags them, as an incremental update, which keeps its bytes. In a signed file they become annotations, because
 * a change of its pages would break the signatures, or values of the form that `formToFill` returns, if nothing else is permitted.
 * `language` (BCP 47) determines the variants of Chinese characters. Rejects with FileFault if the file cannot be changed.
 */
export async function stampPdf(
  pdf: Uint8Array,
  stamps: readonly Stamp[],
  language: string,
  formToFill: (document: PDFDocument) => FormToFill | null = () => null,
): Promise<Buffer> {
  const document = await onFile(() => openForUpdate(pdf));
  await stamp(document, stamps, language, formToFill);
  return onFile(() => updated(document));
}

/** The same on a file that is open for changes. */
export async function stamp(
  document: PDFDocument,
  stamps: readonly Stamp[],
  language: string,
  formToFill: (document: PDFDocument) => FormToFill | null = () => null,
): Promise<void> {
  const pages = await onFile(() =>
    [...Map.groupBy(stamps, ({ page }) => page)].map(([number, own]) => {
      const page = document.getPage(number - 1);
      return { page, shown: shownOrFault(page), stamps: own };
    }),
  );
  const drawn = overlay(
    pages.map(({ shown, stamps: own }) => ({ ...shown, stamps: own })),
    language,
  );
  await onFile(async () => {
    const overlays = await document.embedPdf(drawn, [...pages.keys()]);
    const tags = TagTree.of(document);
    const isFixed = isSigned(document);
    const form = isFixed ? formToFill(document) : null;
    pages.forEach(({ page, shown, stamps: own }, index) => {
      const { ref } = overlays[index];
      if (form) form.fill(page, shown, own, ref);
      else if (isFixed) for (const one of own) annotate(page, shown, tags, asAnnotation(one, shown, ref));
      else {
        const mark = tags?.addContent(page, 'P', own.map(({ text }) => text).join(', ')) ?? null;
        const [begin, end] = mark === null ? ['', ''] : [`/P <</MCID ${mark}>> BDC\n`, '\nEMC'];
        const place = matrixOf(shown).join(' ');
        drawOver(page, [ref], shown, ([name]) => `${begin}q ${place} cm ${name} Do Q${end}`);
      }
    });
  });
}

/** A part of an overlay, which is as large as the page. */
function asAnnotation({ x, y, w, h, text }: Stamp, { width, height }: ShownPage, page: PDFRef): Annotation {
  const box = { x: x * width, y: (1 - y - h) * height, width: w * width, height: h * height };
  const operators = `q 1 0 0 1 ${-box.x} ${-box.y} cm /Page Do Q`;
  return { box, text, operators, forms: { Page: page }, entries: { Subtype: 'Stamp' } };
}

/** A transparent page for each of `pages`, with the stamps on it. */
export function overlay(pages: readonly { width: number; height: number; stamps: readonly Stamp[] }[], language: string): Buffer {
  const files: Record<string, Uint8Array> = {};
  const data = pages.map(({ width, height, stamps }) => ({
    width,
    height,
    stamps: stamps.map((stamp) => stampData(stamp, width, height, files)),
  }));
  return typeset('stamps', { language, data: { language: new Intl.Locale(language).language, pages: data }, files, part: 'overlay' }).pdf;
}

export function shownOrFault(page: PDFPage): ShownPage {
  const shown = shownPage(page);
  if (!shown) throw new FileFault('A page has no area.');
  return shown;
}

/** How far from its sides the text of a form field begins, in points. */
export function insetOf({ width, height }: { width: number; height: number }, frame: number, hasLines: boolean): { x: number; y: number } {
  return { x: Math.min(frame + PADDING, width * MOST_INSET), y: Math.min(frame + (hasLines ? PADDING : 0), height * MOST_INSET) };
}

/** A stamp in points, as the template reads it. */
export interface StampData {
  x: number;
  y: number;
  width: number;
  height: number;
  text: string;
  cells?: number;
  [other: string]: unknown;
}

/** A stamp as the template reads it; its drawing is added to `files`. */
export function stampData(
  { x, y, w, h, text, isSignature, face = null, isMark = false, png, isMultiline = false, frame, cells, look }: Stamp,
  width: number,
  height: number,
  files: Record<string, Uint8Array>,
): StampData {
  const box = { width: w * width, height: h * height };
  const isTop = look?.isTop ?? isMultiline;
  const isComb = cells !== undefined && !isTop && !RIGHT_TO_LEFT.test(text) && [...CHARACTERS.segment(text)].length <= cells;
  // a mark is smaller than its box anyway
  const inset = frame === undefined || isMark ? { x: 0, y: 0 } : insetOf(box, frame, isTop);
  if (isComb) inset.x = 0;
  const image = png && `/drawing-${Object.keys(files).length}.png`;
  if (png && image) files[image] = png;
  return {
    x: x * width + inset.x,
    y: y * height + inset.y,
    width: box.width - 2 * inset.x,
    height: box.height - 2 * inset.y,
    text: printable(text).replace(isComb ? /\s/g : isTop ? /[^\S\n]+/g : /\s+/g, ' '),
    is_signature: isSignature,
    face,
    is_mark: isMark,
    image,
    is_top: isTop,
    ...(isComb && { cells }),
    ...(look ? { size: look.size, align: look.align, color: look.color, fill: look.fill } : {}),
  };
}
