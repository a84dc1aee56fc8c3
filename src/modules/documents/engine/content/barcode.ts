import JsBarcode from 'jsbarcode';
import MarkdownIt, { type Token } from 'markdown-it';
import { escapeHtml } from '../../../../kit/index.js';
import type { BarcodeKind } from '../../model/core/barcodes.js';

/** A barcode as a picture whose unit is the width of the narrowest bar, with the room that scanners need at its sides. */
export interface Barcode {
  width: number;
  height: number;
  /** The outline of its bars as the path of an SVG. */
  path: string;
  /** The kind, for those who cannot see it. */
  name: string;
  text: string;
}

const HEIGHT = 40;
/** The blank room in front of and behind the bars (ISO/IEC 15420 and 15417). */
const KINDS: Readonly<Record<BarcodeKind, { format: string; name: string; before: number; behind: number }>> = {
  ean13: { format: 'EAN13', name: 'EAN-13', before: 11, behind: 7 },
  ean8: { format: 'EAN8', name: 'EAN-8', before: 7, behind: 7 },
  upca: { format: 'UPC', name: 'UPC-A', before: 9, behind: 9 },
  code128: { format: 'CODE128', name: 'Code 128', before: 10, behind: 10 },
};

/** `text` must be encodable, see `isEncodable`. */
function barcode(kind: BarcodeKind, text: string): Barcode {
  const { format, name, before, behind } = KINDS[kind];
  const drawn: { encodings?: { data: string }[] } = {};
  // flat: otherwise blank modules stand in for the digit that is printed in front
  JsBarcode(drawn, text, { format, flat: true });
  const modules = (drawn.encodings ?? []).map(({ data }) => data).join('');
  const bars = [...modules.matchAll(/1+/g)].map(({ index, 0: { length } }) => `M${before + index} 0h${length}v${HEIGHT}h-${length}z`);
  return { width: before + modules.length + behind, height: HEIGHT, path: bars.join(''), name, text };
}

export function barcodeToken(kind: BarcodeKind, text: string): Token {
  const token = new MarkdownIt.Token('barcode', '', 0);
  token.meta = { ...barcode(kind, text) };
  // what a scanner reads stands below the bars
  token.content = text;
  return token;
}

export function barcodeOf(token: Token): Barcode {
  return token.meta as unknown as Barcode;
}

/** How a page shows it. */
export const BARCODE_RULE = {
  barcode: (tokens: readonly Token[], index: number) => {
    const { width, height, path, name, text } = barcodeOf(tokens[index]);
    const picture = `class="barcode" role="img" aria-label="${name}" viewBox="0 0 ${width} ${height}"`;
    return `<svg ${picture}><path d="${path}"></path></svg><br>${escapeHtml(text)}`;
  },
};
