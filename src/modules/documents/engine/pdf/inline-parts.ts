import type { PlacedKind } from '../../model/core/placed-fields.js';
import { barcodeOf } from '../content/barcode.js';
import { imageOf, type ContentImage } from '../content/image.js';
import type { Node } from '../content/markdown.js';
import { fieldOf, partiesOf } from '../content/signing-tokens.js';
import { printable } from '../typst/glyphs.js';
import { piecesOf } from './pieces.js';

/** A part of a line, as the template `document.typ` reads it. */
export type Part =
  | string
  | { type: 'break' }
  | { type: 'pad'; text: string }
  | { type: 'pieces'; parts: string[] }
  | { type: Style; body: Part[] }
  | Link
  | { type: 'signed_on'; party: string }
  | { type: 'barcode'; svg: string; width: number; label: string; text: string }
  | { type: 'image'; path: string; width: number; height: number; alt: string }
  | { type: 'placed'; key: string; width: number; kind: PlacedKind };
type Style = 'strong' | 'em' | 'strike';
interface Link {
  type: 'link';
  href: string;
  body: Part[];
}

/** Whether a word is so long that it may be broken anywhere. */
export type IsLong = (word: string) => boolean;

const ADDRESS = /^(https?:|mailto:)/i;
const PIECE = 4;
/** The narrowest bar, in points: 0.27 mm, which is 82 % of the nominal size of an EAN-13. */
const MODULE = 0.765;
const CODE_TEXT = 12;

/** The parts of a line of Markdown, with the characters replaced that the fonts lack. */
export function inlineParts(nodes: readonly Node[], isLong: IsLong): Part[] {
  const inside = (type: Style, { children }: Node): Part => ({ type, body: inlineParts(children, isLong) });
  return nodes.flatMap((node): Part[] => {
    switch (node.type) {
      case 'inline':
        return inlineParts(node.children, isLong);
      case 'strong':
      case 'em':
        return [inside(node.type, node)];
      case 's':
        return [inside('strike', node)];
      case 'link':
        return linkTo(String(node.token.attrGet('href') ?? ''), inlineParts(node.children, isLong));
      case 'softbreak':
        return [' '];
      case 'hardbreak':
        return [{ type: 'break' }];
      case 'pad':
        return [{ type: 'pad', text: node.token.content }];
      case 'signed_on':
        return [{ type: 'signed_on', party: partiesOf(node.token)[0].key }];
      case 'barcode': {
        const { width, height, path, name, text } = barcodeOf(node.token);
        const svg = svgOf(width, height, path);
        return [{ type: 'barcode', svg, width: pictureSize(node).width, label: name, text }];
      }
      case 'image': {
        const { reference, image, width, height, alt } = imageOf(node.token);
        return [{ type: 'image', path: imagePath(reference, image), width, height, alt: printable(alt) }];
      }
      case 'placed': {
        const { key, kind, width } = fieldOf(node.token);
        return [{ type: 'placed', key, kind, width }];
      }
      default:
        return textParts(printable(node.token.content), isLong);
    }
  });
}

/** In points, of a barcode with its text, or of a picture. */
export function pictureSize({ type, token }: Node): { width: number; height: number } {
  if (type === 'image') return imageOf(token);
  const { width, height } = barcodeOf(token);
  return { width: width * MODULE, height: height * MODULE + CODE_TEXT };
}

/** Where the template finds the file. */
export function imagePath(reference: string, { media_type }: ContentImage): string {
  return `/${reference.replace(':', '-')}.${media_type === 'image/png' ? 'png' : 'jpg'}`;
}

/** A picture that is drawn with black outlines. */
export function svgOf(width: number, height: number, path: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><path d="${path}"/></svg>`;
}

function linkTo(href: string, body: Part[]): Part[] {
  return ADDRESS.test(href) ? [{ type: 'link', href, body }] : body;
}

function textParts(text: string, isLong: IsLong): Part[] {
  const parts = piecesOf(text, isLong, PIECE);
  return parts.length > 1 ? [{ type: 'pieces', parts }] : parts;
}
