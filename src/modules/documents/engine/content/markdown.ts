import MarkdownIt, { type Token } from 'markdown-it';
import { BARCODE_RULE } from './barcode.js';
import { IMAGE_RULE } from './image.js';
import { BLOCK_RULES } from './block-tokens.js';
import { TOKEN } from './document-template.js';
import { SIGNING_RULES } from './signing-tokens.js';
import { PAD_RULE } from './text-tokens.js';

export type { Token };

/**
 * CommonMark with tables and strikethrough, without what templates do not need: HTML, images, code (so that an indented clause
 * stays text), and the two kinds of links that would hide a token from `checkTemplate`.
 */
export const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false, breaks: false });
markdown.disable(['code', 'fence', 'backticks', 'image', 'reference', 'autolink', 'linkify']);

Object.assign(markdown.renderer.rules, SIGNING_RULES, PAD_RULE, BLOCK_RULES, BARCODE_RULE, IMAGE_RULE);
markdown.inline.ruler.after('text', 'template_token', (state, silent) => {
  TOKEN.lastIndex = state.pos;
  const found = TOKEN.exec(state.src);
  if (found === null || found.index + found[0].length > state.posMax) return false;
  if (!silent) state.push('template_token', '', 0).content = found[1].replaceAll(BAR, '|');
  state.pos += found[0].length;
  return true;
});

/** Stands for | in tokens while Markdown is parsed; it is no character. */
const BAR = '\ufdd0';
const TOKENS = new RegExp(String.raw`\\\{|${TOKEN.source}`, 'g');

/** The template as Markdown tokens. A | in a token ends no cell of a table. */
export function parsed(template: string): Token[] {
  return markdown.parse(
    template.replace(TOKENS, (token) => token.replaceAll('|', BAR)),
    {},
  );
}

const NESTED = /^(?:blockquote|bullet_list|ordered_list)_/;
/** Quotes and lists within each other. Each level makes the lines narrower; the parser drops text that is nested much deeper. */
const DEEPEST = 10;

/** Why the quotes and lists of a template are nested too deep, or null. Parses blocks only. */
export function nestingProblem(template: string): string | null {
  const tokens: Token[] = [];
  markdown.block.parse(template, markdown, {}, tokens);
  let depth = 0;
  for (const { type, nesting, map } of tokens) {
    if (!NESTED.test(type)) continue;
    depth += nesting;
    if (depth > DEEPEST) return `line ${(map?.[0] ?? 0) + 1}: quotes and lists can be nested ${DEEPEST} levels deep`;
  }
  return null;
}

/** Recognizes Markdown that `markdown` does not parse. */
const everything = new MarkdownIt({ html: true });
everything.disable(['code']);
const UNSUPPORTED: Record<string, string> = {
  image: 'images',
  code_inline: 'code',
  fence: 'code',
  html_block: 'HTML',
  html_inline: 'HTML',
};
/** How an item of a task list begins. */
const CHECK_BOX = /^\[[ xX]\]\s/;

/** The first use of Markdown that would be printed as it is written, or null. Call it if `nestingProblem` finds none. */
export function unsupportedMarkdown(template: string): string | null {
  const env: Parameters<typeof everything.parse>[1] & { references?: object } = {};
  const blocks = everything.parse(template, env);
  for (const [index, block] of blocks.entries()) {
    const line = `line ${(block.map?.[0] ?? 0) + 1}`;
    if (blocks[index - 2]?.type === 'list_item_open' && CHECK_BOX.test(block.content))
      return `${line}: check boxes cannot be used in a template; write ☐ or ☑ instead`;
    const found = [block, ...(block.children ?? [])].find(({ type, markup }) => Object.hasOwn(UNSUPPORTED, type) || markup === 'autolink');
    if (found) return `${line}: ${UNSUPPORTED[found.type] ?? 'links in angle brackets'} cannot be used in a template`;
  }
  const [reference] = Object.keys(env.references ?? {});
  return reference === undefined ? null : `[${reference}]: write the address of a link behind its text, as in [text](address)`;
}

/** A token with everything between its opening and closing tokens. */
export interface Node {
  type: string;
  token: Token;
  children: Node[];
}

/** Builds the tree from a flat list of tokens. `type` omits the suffix `_open`. */
export function treeOf(tokens: readonly Token[]): Node[] {
  const root: Node[] = [];
  const open: Node[][] = [root];
  for (const token of tokens) {
    if (token.nesting === -1) {
      open.pop();
      continue;
    }
    const node = { type: token.type.replace(/_open$/, ''), token, children: token.type === 'inline' ? treeOf(token.children ?? []) : [] };
    open.at(-1)?.push(node);
    if (token.nesting === 1) open.push(node.children);
  }
  return root;
}

/** The text of tokens without emphasis, for bookmarks and measuring. */
export function plainText(nodes: readonly Node[]): string {
  return nodes
    .map((node) =>
      node.type === 'softbreak' || node.type === 'hardbreak'
        ? ' '
        : node.children.length > 0
          ? plainText(node.children)
          : node.token.content,
    )
    .join('');
}
