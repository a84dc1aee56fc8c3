import { codeOf } from '../content/block-tokens.js';
import type { Node } from '../content/markdown.js';
import { partiesOf, type SigningParty } from '../content/signing-tokens.js';
import { printable } from '../typst/glyphs.js';
import { inlineParts, svgOf, type IsLong, type Part } from './inline-parts.js';
import { tableBlock, type Room, type TableBlock } from './table-block.js';

/** A block of a document, as the template `document.typ` reads it. */
export type Block =
  | { type: 'paragraph' | 'text' | 'picture'; body: Part[] }
  | { type: 'heading'; level: number; body: Part[] }
  | ({ type: 'bullets' } & Items)
  | ({ type: 'numbers'; start: number } & Items)
  | { type: 'quote'; body: Block[] }
  | { type: 'rule' | 'logo' | 'page_break' }
  | { type: 'columns'; columns: Block[][] }
  | { type: 'qr'; svg: string; label: string }
  | { type: 'signatures'; width: number; parties: { key: string; label: string; name: string }[] }
  | TableBlock;

interface Items {
  /** Without space between the items. */
  tight: boolean;
  /** In an item of another list. */
  nested: boolean;
  items: Block[][];
}

/** Between columns, and between the lines of parties that sign side by side; in points. */
const GAP = 24;
const WIDEST_LINE = 205;
const QUOTE_INDENT = 14;
const LIST_INDENT = 24;
const DEEPEST_HEADING = 4;
/** In characters, for words of the widest letters in the narrowest line: lists and quotes within each other. */
const LONGEST_WORD = { text: 40, heading: 22 };

const longerThan =
  (most: number): IsLong =>
  (word) =>
    word.length > most;

/** The blocks in order. `nested` for the blocks of an item of a list. */
export function documentBlocks(nodes: readonly Node[], room: Room, nested = false): Block[] {
  const { width } = room;
  return nodes.flatMap((node): Block[] => {
    switch (node.type) {
      case 'heading':
        return [{ type: 'heading', level: Math.min(Number(node.token.tag.slice(1)), DEEPEST_HEADING), body: headingParts(node) }];
      case 'paragraph':
        return [{ type: node.token.hidden ? 'text' : 'paragraph', body: inlineParts(node.children, longerThan(LONGEST_WORD.text)) }];
      case 'bullet_list':
        return [{ type: 'bullets', ...itemsOf(node, room, nested) }];
      case 'ordered_list':
        return [{ type: 'numbers', start: Number(node.token.attrGet('start') ?? 1), ...itemsOf(node, room, nested) }];
      case 'blockquote':
        return [{ type: 'quote', body: documentBlocks(node.children, { ...room, width: width - QUOTE_INDENT }, nested) }];
      case 'hr':
        return [{ type: 'rule' }];
      case 'logo':
      case 'page_break':
        return [{ type: node.type }];
      case 'columns': {
        const column = { ...room, width: shareOf(width, node.children.length) };
        return [{ type: 'columns', columns: node.children.map(({ children }) => documentBlocks(children, column)) }];
      }
      case 'barcode':
      case 'picture':
        return [{ type: 'picture', body: inlineParts(node.children, longerThan(LONGEST_WORD.text)) }];
      case 'qr':
        return [codeBlock(node)];
      case 'signatures': {
        const parties = partiesOf(node.token).map(partyData);
        return [{ type: 'signatures', width: Math.min(WIDEST_LINE, shareOf(width, parties.length)), parties }];
      }
      case 'table':
        return [tableBlock(node, room)];
      default:
        return documentBlocks(node.children, room, nested);
    }
  });
}

function shareOf(width: number, count: number): number {
  return (width - GAP * (count - 1)) / count;
}

function codeBlock({ token }: Node): Block {
  const { size, path, label } = codeOf(token);
  return { type: 'qr', svg: svgOf(size, size, path), label: printable(label) };
}

function partyData({ key, label, name }: SigningParty): { key: string; label: string; name: string } {
  return { key, label: printable(label), name: printable(name ?? '') };
}

function headingParts({ children }: Node): Part[] {
  return inlineParts(children, longerThan(LONGEST_WORD.heading));
}

function itemsOf({ children }: Node, room: Room, nested: boolean): Items {
  const items = children.map((item) => documentBlocks(item.children, { ...room, width: room.width - LIST_INDENT }, true));
  return { tight: !items.some((item) => item.some(({ type }) => type === 'paragraph')), nested, items };
}
