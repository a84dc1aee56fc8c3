import { createHash } from 'node:crypto';
import sanitizeHtml from 'sanitize-html';
import { escapeHtml } from '../../../../kit/index.js';
import { blockStyle } from './block-tokens.js';
import { contentTokens, type DocumentContent } from './document-content.js';
import { markdown } from './markdown.js';
import { directionOf, watermarkText, type Watermark } from './printed-words.js';
import { pageSize } from './page-layout.js';
import { tableStyle } from './table-style.js';

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: `h1 h2 h3 h4 h5 h6 p br span hr strong em s a ul ol li blockquote table thead tbody tfoot tr th td div svg path img`.split(
    /\s+/,
  ),
  allowedAttributes: {
    a: ['href', 'rel'],
    p: ['data-signer'],
    span: ['data-signed-on', 'data-field'],
    ol: ['start'],
    table: ['class', 'role'],
    thead: ['role'],
    tbody: ['role'],
    tfoot: ['role'],
    tr: ['role'],
    th: ['scope', 'class', 'role'],
    td: ['class', 'role', 'data-label'],
    div: ['class'],
    // the parser writes names in lower case, and browsers know them in SVG
    svg: ['class', 'role', 'aria-label', 'viewbox'],
    path: ['d'],
    img: ['class', 'src', 'alt', 'width', 'height'],
  },
  allowedClasses: {
    div: ['columns', 'page-break'],
    svg: ['qr', 'barcode'],
    img: ['image'],
    table: ['some', 'many'],
    th: ['right', 'center'],
    td: ['right', 'center'],
    span: ['pad'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['data'] },
  allowProtocolRelative: false,
  transformTags: {
    th: sanitizeHtml.simpleTransform('th', { scope: 'col' }),
    a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer nofollow' }),
  },
};

const STYLE = `
:root { color-scheme: light; }
body { margin: 0; background: #fff; color: #1a1a1a; font: 1rem/1.6 Georgia, "DejaVu Serif", serif; overflow-wrap: anywhere; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
header {
  font: 0.8125rem/1.5 system-ui, sans-serif; color: #4d4d4d; border-bottom: 1px solid #8c8c8c; padding-bottom: .5rem; margin-bottom: 2rem;
}
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 1.5rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2rem 0 .5rem; }
h3, h4, h5, h6 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
a { color: #0b4f9e; }
blockquote { margin: 1rem 0; padding-inline-start: 1rem; border-inline-start: 3px solid #8c8c8c; }
hr { border: 0; border-top: 1px solid #8c8c8c; margin: 2rem 0; }
${tableStyle('main')}${blockStyle('main')}.mark {
  font: bold 1rem/1.5 system-ui, sans-serif; letter-spacing: .1em; margin: 0 0 1rem; padding: .25rem .75rem;
  border: 2px solid #9b1c1c; color: #9b1c1c; display: inline-block;
}

@media print {
  main { max-width: none; padding: 0; }
  h1, h2, h3, h4, h5, h6 { break-after: avoid; }
  tr { break-inside: avoid; }
  thead { display: table-header-group; }
  tfoot { display: table-row-group; }
}
`;

/**
 * For `style-src` of the page's content security policy; the page needs no other source. It is read from the page, because frozen
 * pages keep the style of their time. Text of a document cannot contain a style element.
 */
export function styleSource(page: string): string {
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
}

/** Whether it contains pictures as data. Quotes in a text are escaped, so no text looks like one. */
export function hasPictures(page: string): boolean {
  return page.includes(' src="data:image/');
}

/** A document's body as sanitized HTML, without the surrounding page. */
export function renderHtmlBody(content: DocumentContent): string {
  return sanitizeHtml(markdown.renderer.render(contentTokens(content), markdown.options, {}), ALLOWED);
}

/** A document as a complete page, self-contained and suitable for screens, printers and screen readers. */
export function renderHtml(content: DocumentContent, watermark?: Watermark): string {
  const body = renderHtmlBody(content)
    .replace(/<table\b/g, '<div class="wide" tabindex="0" role="group" aria-label="Table"><table')
    .replaceAll('</table>', '</table></div>');
  return completePage(content, body, watermark);
}

/** The text of a document that is a file, page by page, as a complete page. */
export function renderFileHtml(content: DocumentContent, pages: readonly (readonly string[])[], watermark?: Watermark): string {
  const body = pages.map((lines) => lines.map((line) => `<p>${escapeHtml(line)}</p>\n`).join('')).join('<hr>\n');
  return completePage(content, body, watermark);
}

/** The page of a document, with the texts of its further files at the end. */
export function joinedHtml(page: string, files: readonly { name: string; html: string }[]): string {
  const sections = files.map(({ name, html }) => {
    const inside = /<main>([\s\S]*)<\/main>/.exec(html)?.[1].replace(/<header>[\s\S]*?<\/header>\n?|<p class="mark">[^<]*<\/p>\n?/g, '');
    return `<hr>\n<section>\n<h1>${escapeHtml(name)}</h1>\n${inside ?? ''}</section>\n`;
  });
  return page.replace(/<\/main>(?![\s\S]*<\/main>)/, () => `${sections.join('')}</main>`);
}

function printStyle(layout: DocumentContent['layout']): string {
  const { width, height } = pageSize(layout);
  return `@page { size: ${width.toFixed(2)}pt ${height.toFixed(2)}pt; margin: 20mm; }\n`;
}

function completePage({ document: { number, title }, language, layout }: DocumentContent, body: string, watermark?: Watermark): string {
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(number === null ? title : `${title} (${number})`)}</title>
<style>${STYLE}${printStyle(layout)}</style>
</head>
<body>
<main>
<header>${escapeHtml(number === null ? title : `${title} · ${number}`)}</header>
${watermark ? `<p class="mark">${watermarkText(watermark, language)}</p>\n` : ''}${body}</main>
</body>
</html>
`;
}
