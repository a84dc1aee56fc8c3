import { contentTokens, type DocumentContent } from '../content/document-content.js';
import { treeOf } from '../content/markdown.js';
import type { Watermark } from '../content/render-html.js';
import { typeset } from '../typst/typst.js';
import { documentBlocks } from './document-blocks.js';
import { frameData, type Letterhead } from './page-frame.js';

/** The input of a PDF. */
export interface PdfInput {
  content: DocumentContent;
  /** Subject in the file's metadata: the name of the type. */
  subject: string;
  /** Creation date in the file's metadata. Must not be the current time, or two renderings of one document would differ. */
  created_at: Date;
  watermark?: Watermark;
  letterhead?: Letterhead | null;
}

/** Renders a document as PDF. The same input gives the same bytes. A logo that cannot be read is left out. */
export function renderPdf({ content, letterhead, ...rest }: PdfInput): Buffer {
  const { document, language } = content;
  const blocks = documentBlocks(treeOf(contentTokens(content)));
  const typesetWith = (head: PdfInput['letterhead']) => {
    const { frame, files } = frameData({ ...rest, ...document, language, letterhead: head });
    return typeset('document', { language, data: { frame, blocks }, files }).pdf;
  };
  if (!letterhead?.logo) return typesetWith(letterhead);
  try {
    return typesetWith(letterhead);
  } catch {
    return typesetWith({ ...letterhead, logo: null });
  }
}
