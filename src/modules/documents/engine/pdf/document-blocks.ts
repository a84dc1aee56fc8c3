import type { Node } from '../content/markdown.js';
import { partiesOf, type SigningParty } from '../content/signing-tokens.js';
import { printable } from '../typst/glyphs.js';
import { inlineParts, type IsLong, type Part } from './inline-parts.js';
import { tableBlock, type TableBlock } from './table-block.js';

/** A block of a document, as the template `document.typ` reads it. */
export type Block =
  | { type: 'paragraph' | 'text'; body: Part[] }
  | { type: 'heading'; level: number; body: Part[] }
  | ({ type: 'bullets' } & Items)
  | ({ type: 'numbers'; start: number } & Items)
  | { type: 'quote'; body: Block[] }
  | { type: 'rule' | 'logo' }
  | { type: 'signatures'; parties: { key: string; label: string; name: string }[] }
  | TableBlock;

interface Items {
  /** Without space between the items. */
  tight: boolean;
  /** In an item of another list. */
  nested: boolean;
  items: Block[][];
}

/** In points, of a page without its margins: `page.typ`. */
const TEXT_WIDTH = 447;
const QUOTE_INDENT = 14;
const LIST_INDENT = 24;
const DEEPEST_HEADING = 4;
/** In characters, for words of the widest letters in the narrowest line: lists and quotes within each other. */
const LONGEST_WORD = { text: 40, heading: 22 };

const longerThan =
  (most: number): IsLong =>
  (word) =>
    word.length > most;

/** The blocks in order. `width` is that of the lines, in points; `nested` for the blocks of an item of a list. */
export function documentBlocks(nodes: readonly Node[], width = TEXT_WIDTH, nested = false): Block[] {
  return nodes.flatMap((node): Block[] => {
    switch (node.type) {
      case 'heading':
        return [{ type: 'heading', level: Math.min(Number(node.token.tag.slice(1)), DEEPEST_HEADING), body: headingParts(node) }];
      case 'paragraph':
        return [{ type: node.token.hidden ? 'text' : 'paragraph', body: inlineParts(node.children, longerThan(LONGEST_WORD.text)) }];
      case 'bullet_list':
        return [{ type: 'bullets', ...itemsOf(node, width, nested) }];
      case 'ordered_list':
        return [{ type: 'numbers', start: Number(node.token.attrGet('start') ?? 1), ...itemsOf(node, width, nested) }];
      case 'blockquote':
        return [{ type: 'quote', body: documentBlocks(node.children, width - QUOTE_INDENT, nested) }];
      case 'hr':
        return [{ type: 'rule' }];
      case 'logo':
        return [{ type: 'logo' }];
      case 'signatures':
        return [{ type: 'signatures', parties: partiesOf(node.token).map(partyData) }];
      case 'table':
        return [tableBlock(node, width)];
      default:
        return documentBlocks(node.children, width, nested);
    }
  });
}

function partyData({ key, label, name }: SigningParty): { key: string; label: string; name: string } {
  return { key, label: printable(label), name: printable(name ?? '') };
}

function headingParts({ children }: Node): Part[] {
  return inlineParts(children, longerThan(LONGEST_WORD.heading));
}

function itemsOf({ children }: Node, width: number, nested: boolean): Items {
  const items = children.map((item) => documentBlocks(item.children, width - LIST_INDENT, true));
  return { tight: !items.some((item) => item.some(({ type }) => type === 'paragraph')), nested, items };
}
