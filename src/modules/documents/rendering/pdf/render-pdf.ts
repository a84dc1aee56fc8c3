import { contentTokens, type DocumentContent } from '../content/document-content.js';
import { treeOf } from '../content/markdown.js';
import { blocks } from './pdf-blocks.js';
import { typeset } from './pdf-page.js';
import type { Watermark } from '../content/render-html.js';

/** What a PDF needs beside the content. */
export interface PdfInput {
  content: DocumentContent;
  /** What the file says it is about: the type's name. */
  subject: string;
  /** The moment the file says it was made; not now, or two renderings of one document would differ. */
  created_at: Date;
  watermark?: Watermark;
}

/** A document as PDF; the same input gives the same bytes. */
export function renderPdf({ content, subject, created_at, watermark }: PdfInput): Promise<Buffer> {
  const { title, number } = content.document;
  return typeset({ title, number, subject, language: content.language, created_at, watermark }, (text) =>
    blocks(treeOf(contentTokens(content)), text),
  );
}
