import { contentTokens, type DocumentContent } from '../content/document-content.js';
import { treeOf } from '../content/markdown.js';
import { blocks } from './pdf-blocks.js';
import { typeset } from './pdf-page.js';
import type { Watermark } from '../content/render-html.js';

/** The input of a PDF. */
export interface PdfInput {
  content: DocumentContent;
  /** Subject in the file's metadata: the name of the type. */
  subject: string;
  /** Creation date in the file's metadata. Must not be the current time, or two renderings of one document would differ. */
  created_at: Date;
  watermark?: Watermark;
}

/** Renders a document as PDF. The same input gives the same bytes. */
export function renderPdf({ content, subject, created_at, watermark }: PdfInput): Promise<Buffer> {
  const { title, number } = content.document;
  return typeset({ title, number, subject, language: content.language, created_at, watermark }, (text) =>
    blocks(treeOf(contentTokens(content)), text),
  );
}
