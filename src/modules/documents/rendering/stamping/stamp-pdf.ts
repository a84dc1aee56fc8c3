import { PDFDocument } from '@cantoo/pdf-lib';
import pdfmake, { type Content } from 'pdfmake';
import { loadFonts, printable, SANS, textWidth } from '../pdf/pdf-fonts.js';

/** Text or a drawing to print on a page. Positions are fractions of the page, from its top left corner. */
export interface Stamp {
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
  text: string | null;
  /** A signature is set in a larger italic type. */
  isSignature: boolean;
  png: Uint8Array | null;
}

const LARGEST = { text: 12, signature: 24 };
const LINE_HEIGHT = 1.2;

/** Prints stamps on a file, as an update that leaves its bytes as they are. */
export async function stampPdf(pdf: Uint8Array, stamps: readonly Stamp[]): Promise<Buffer> {
  const document = await PDFDocument.load(pdf, { forIncrementalUpdate: true, updateMetadata: false });
  for (const [number, onPage] of Map.groupBy(stamps, ({ page }) => page)) {
    const page = document.getPage(number - 1);
    const { x, y, width, height } = page.getCropBox();
    const [overlay] = await document.embedPdf(await overlayOf(onPage, width, height));
    page.drawPage(overlay, { x, y, width, height });
  }
  return Buffer.from(await document.commit({ useObjectStreams: false }));
}

/** Why a file cannot be stamped; null if it can. */
export async function stampProblem(pdf: Uint8Array): Promise<string | null> {
  try {
    const document = await PDFDocument.load(pdf, { forIncrementalUpdate: true, updateMetadata: false });
    return document.getPages().some((page) => page.getRotation().angle % 360 !== 0) ? 'has rotated pages, which cannot be filled in' : null;
  } catch {
    return 'is damaged or protected, so it cannot be filled in';
  }
}

/** A transparent page with the stamps. */
async function overlayOf(stamps: readonly Stamp[], width: number, height: number): Promise<Buffer> {
  const characters = await loadFonts();
  const content = stamps.map((stamp) => contentOf(stamp, width, height, (text) => printable(text, characters).replace(/\s+/g, ' ')));
  return pdfmake
    .createPdf({ pageSize: { width, height }, pageMargins: 0, content, defaultStyle: { font: SANS, lineHeight: LINE_HEIGHT } })
    .getBuffer();
}

function contentOf({ x, y, w, h, text, isSignature, png }: Stamp, width: number, height: number, clean: (text: string) => string): Content {
  const [left, top, boxWidth, boxHeight] = [x * width, y * height, w * width, h * height];
  if (png !== null)
    return {
      image: `data:image/png;base64,${Buffer.from(png).toString('base64')}`,
      fit: [boxWidth, boxHeight],
      absolutePosition: { x: left, y: top },
    };
  const shown = clean(text ?? '');
  const perPoint = Math.max(textWidth(shown, SANS, false, 1) * (isSignature ? 1.05 : 1), 0.01);
  const fontSize = Math.min(isSignature ? LARGEST.signature : LARGEST.text, boxHeight / LINE_HEIGHT, boxWidth / perPoint);
  const offset = Math.max(0, (boxHeight - fontSize * LINE_HEIGHT) / 2);
  return { text: shown, italics: isSignature, fontSize, noWrap: true, absolutePosition: { x: left, y: top + offset } };
}
