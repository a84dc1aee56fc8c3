import MarkdownIt from 'markdown-it';
import { codePanel } from './code.js';

/** Where names in a text lead. */
export interface Links {
  /** The address of an operation that a text names. */
  operation(name: string): string | undefined;
  /** The address of a link as it is written; null: the text stays without a link. */
  resolve?(href: string): string | null;
}

const NAMES = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g;

const text = new MarkdownIt('default', { html: false, linkify: false });
/** Descriptions of fields are plain text with code: an asterisk in them is one. */
const line = new MarkdownIt('zero').enable(['backticks', 'link', 'entity']);

for (const renderer of [text, line]) {
  const linked = (name: string, { links }: { links?: Links }, shown: string) => {
    const address = links?.operation(name);
    return address === undefined ? shown : `<a href="${address}">${shown}</a>`;
  };
  renderer.renderer.rules['code_inline'] = (tokens, index, _options, env) => {
    const { content } = tokens[index];
    const shown = `<code>${renderer.utils.escapeHtml(content)}</code>`;
    return isInLink(tokens, index) ? shown : linked(content, env as object, shown);
  };
  renderer.renderer.rules['text'] = (tokens, index, _options, env) => {
    const escaped = renderer.utils.escapeHtml(tokens[index].content);
    if (isInLink(tokens, index)) return escaped;
    return escaped.replace(NAMES, (name) => linked(name, env as object, name));
  };
}

const codeOf = ({ content, info }: { content: string; info: string }) => codePanel(content.replace(/\n$/, ''), info.trim()).markup;
text.renderer.rules['fence'] = (tokens, index) => codeOf(tokens[index]);
text.renderer.rules['code_block'] = (tokens, index) => codeOf(tokens[index]);
text.renderer.rules['table_open'] = () => '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>';
text.renderer.rules['table_close'] = () => '</table></div>';

/** A heading of a text. */
export interface Heading {
  level: number;
  id: string;
  title: string;
}

/** A text as HTML whose headings have anchors, and those headings. */
export function renderMarkdown(source: string, links: Links): { html: string; headings: Heading[] } {
  const env = { links };
  const tokens = text.parse(source, env);
  const headings: Heading[] = [];
  const ids = new Map<string, number>();
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      const title = tokens[index + 1].content.replace(/[`*]/g, '');
      const name = slugOf(title);
      const count = ids.get(name) ?? 0;
      ids.set(name, count + 1);
      const id = count === 0 ? name : `${name}-${count + 1}`;
      token.attrSet('id', id);
      headings.push({ level: Number(token.tag.slice(1)), id, title });
    }
    if (token.type === 'inline') resolveLinks(token.children ?? [], links);
  });
  return { html: text.renderer.render(tokens, text.options, env), headings };
}

/** Links must not contain links. */
function isInLink(tokens: readonly { type: string }[], index: number): boolean {
  return tokens.findLast(({ type }, at) => at < index && type.startsWith('link_'))?.type === 'link_open';
}

type Token = NonNullable<ReturnType<typeof text.parse>[number]['children']>[number];

function resolveLinks(children: Token[], links: Links): void {
  let isDropped = false;
  for (const child of children) {
    if (child.type === 'link_open') {
      const target = links.resolve?.(String(child.attrGet('href') ?? ''));
      isDropped = target === null;
      if (typeof target === 'string') child.attrSet('href', target);
    }
    if (isDropped && child.type.startsWith('link_')) {
      if (child.type === 'link_close') isDropped = false;
      child.type = 'text';
      child.content = '';
    }
  }
}

export function renderLine(source: string, links: Links): string {
  return line.renderInline(source, { links });
}

export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');
}
