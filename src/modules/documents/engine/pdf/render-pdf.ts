import type { TemplateField } from '../content/field-tokens.js';
import { fieldOf as placedIn } from '../content/signing-tokens.js';
import { contentTokens, runningLines, type DocumentContent } from '../content/document-content.js';
import { treeOf } from '../content/markdown.js';
import { pageSize, textSize, type PageSize } from '../content/page-layout.js';
import type { Watermark } from '../content/printed-words.js';
import type { PlacedField } from '../../model/core/placed-fields.js';
import { typeset } from '../typst/typst.js';
import { documentBlocks } from './document-blocks.js';
import { base64Of } from '../content/image.js';
import { imagePath } from './inline-parts.js';
import type { Letterhead } from './letterhead.js';
import { frameData } from './page-frame.js';

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

/** A PDF, and where its parties sign. */
export interface RenderedPdf {
  pdf: Buffer;
  fields: PlacedField[];
}

/** The position of a signature field, as `document.typ` reports it, in points. */
interface Mark {
  kind: 'signature' | 'date' | 'field';
  /** Key of the party, or of the field. */
  party: string;
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Renders a document as PDF. The same input gives the same bytes. A logo that cannot be read is left out. */
export function renderPdf(input: PdfInput): Buffer {
  return renderPdfWithFields(input).pdf;
}

export function renderPdfWithFields({ content, letterhead, ...rest }: PdfInput): RenderedPdf {
  const { document, language } = content;
  const size = pageSize(content.layout);
  const tokens = contentTokens(content);
  const placed = tokens.flatMap(({ children }) => (children ?? []).filter(({ type }) => type === 'placed').map(placedIn));
  const blocks = documentBlocks(treeOf(tokens), textSize(size));
  const images = Object.fromEntries(
    Object.entries(content.images ?? {}).map(([reference, image]) => [imagePath(reference, image), Buffer.from(base64Of(image), 'base64')]),
  );
  const lines = content.layout ? runningLines(content) : null;
  const typesetWith = (head: PdfInput['letterhead']) => {
    const { frame, files } = frameData({
      ...rest,
      ...document,
      language,
      letterhead: head,
      size,
      lines,
      isInText: blocks.some(({ type }) => type === 'logo'),
    });
    const { pdf, marks } = typeset('document', { language, data: { frame, blocks }, files: { ...files, ...images } });
    return { pdf, fields: (marks as Mark[]).map((mark, index) => fieldOf(mark, index, size, placed)) };
  };
  if (!letterhead?.logo) return typesetWith(letterhead);
  try {
    return typesetWith(letterhead);
  } catch {
    return typesetWith({ ...letterhead, logo: null });
  }
}

function fieldOf(
  { kind, party, page, x, y, width, height }: Mark,
  index: number,
  size: PageSize,
  placed: readonly TemplateField[],
): PlacedField {
  const place = { page, x: x / size.width, y: y / size.height, w: width / size.width, h: height / size.height };
  if (kind === 'field') {
    const { width: _, ...field } = placed.find(({ key }) => key === party) as TemplateField;
    return { ...field, ...place };
  }
  return { key: `${kind}_${index + 1}`, party, kind, label: null, required: true, ...place };
}
