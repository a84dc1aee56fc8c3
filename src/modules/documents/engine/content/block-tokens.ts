import MarkdownIt, { type Token } from 'markdown-it';
import { escapeHtml, qrCode, type QrCode } from '../../../../kit/index.js';
import { wrapped } from './text-tokens.js';

/** A QR code in the text. */
export interface PrintedCode extends QrCode {
  /** For those who cannot see it. */
  label: string;
}

export function pageBreakToken(): Token {
  const token = new MarkdownIt.Token('page_break', '', 0);
  token.block = true;
  return token;
}

export function codeToken(text: string, label: string): Token {
  const token = new MarkdownIt.Token('qr', '', 0);
  token.block = true;
  token.meta = { ...qrCode(text), label };
  return token;
}

export function codeOf(token: Token): PrintedCode {
  return token.meta as unknown as PrintedCode;
}

const [COLUMNS, COLUMNS_END] = wrapped('columns', 'div', []);
const [COLUMN, COLUMN_END] = wrapped('column', 'div', []);
COLUMNS.attrSet('class', 'columns');

/** Blocks side by side: the tokens that begin, divide and end them. */
export const COLUMN_TOKENS = {
  columns: [COLUMNS, COLUMN],
  next_column: [COLUMN_END, COLUMN],
  columns_end: [COLUMN_END, COLUMNS_END],
} as const;

/** How a page shows these tokens. */
export const BLOCK_RULES: Record<string, (tokens: readonly Token[], index: number) => string> = {
  page_break: () => '<div class="page-break"></div>\n',
  qr: (tokens, index) => {
    const { size, path, label } = codeOf(tokens[index]);
    const picture = `role="img" aria-label="${escapeHtml(label)}" viewBox="0 0 ${size} ${size}"`;
    return `<p><svg class="qr" ${picture}><path d="${path}"></path></svg></p>\n`;
  },
};

/** The style of these blocks inside `scope`, on every page that shows a document. */
export function blockStyle(scope: string): string {
  return `
${scope} .columns { display: flex; flex-wrap: wrap; gap: 0 2rem; }
${scope} .columns > div { flex: 1 1 14rem; min-width: 0; }
${scope} .image { max-width: 100%; height: auto; }
${scope} .barcode { width: 11rem; max-width: 100%; height: auto; background: #fff; shape-rendering: crispEdges; }
${scope} .qr { width: 8rem; height: 8rem; background: #fff; shape-rendering: crispEdges; }
@media print { ${scope} .page-break { break-after: page; } }
`;
}
