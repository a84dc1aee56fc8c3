import type { Node } from '../content/markdown.js';
import { withBreaks, type Run, type Style } from './pdf-runs.js';

/** Makes text printable: replaces the characters that the fonts lack. */
export type Printable = (raw: string) => string;

const LINK = /^(https?:|mailto:)/i;

/** The runs of a line of Markdown, each in one style. */
export function inline(nodes: readonly Node[], text: Printable, style: Style = {}): Run[] {
  return nodes.flatMap((node): Run[] => {
    switch (node.type) {
      case 'inline':
        return inline(node.children, text, style);
      case 'strong':
        return inline(node.children, text, { ...style, bold: true });
      case 'em':
        return inline(node.children, text, { ...style, italics: true });
      case 's':
        return inline(node.children, text, { ...style, decoration: 'lineThrough' });
      case 'link':
        return inline(node.children, text, { ...style, ...linkTo(String(node.token.attrGet('href') ?? '')) });
      case 'softbreak':
        return [{ ...style, text: ' ' }];
      case 'hardbreak':
        return [{ ...style, text: '\n' }];
      default:
        return node.token.content === '' ? [] : withBreaks(text(node.token.content)).map((piece) => ({ ...style, text: piece }));
    }
  });
}

function linkTo(href: string): Style {
  return LINK.test(href) ? { link: href, color: '#0b4f9e', decoration: 'underline' } : {};
}
