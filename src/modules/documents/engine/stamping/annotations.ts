import { PDFHexString, type PDFPage, type PDFRef } from '@cantoo/pdf-lib';
import type { TagTree } from '../tags/tag-tree.js';
import { addAnnotation } from '../updates/file-update.js';
import { matrixOf, type Box, type ShownPage } from './page-box.js';

/** Printed, and not to be moved, changed or deleted: Print, ReadOnly, Locked, LockedContents (ISO 32000-1, 12.5.3). */
const FIXED = 4 | 64 | 128 | 512;

export interface Annotation {
  /** In points, from the lower left corner of the shown page. */
  box: Box;
  /** What it says, for those who do not see it. */
  text: string;
  /** Operators that draw it, from the lower left corner of its box, and the forms that they name. */
  operators: string;
  forms?: Record<string, PDFRef>;
  /** Of its type. */
  entries: Record<string, string | PDFRef>;
}

/** What an annotation or a form field draws into its box. */
export function appearance(
  { doc: { context } }: PDFPage,
  shown: ShownPage,
  { box, operators, forms = {} }: Pick<Annotation, 'box' | 'operators' | 'forms'>,
): PDFRef {
  const [a, b, c, d] = matrixOf(shown);
  return context.register(
    context.flateStream(operators, {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, box.width, box.height],
      Matrix: [a, b, c, d, 0, 0],
      Resources: { XObject: forms },
    }),
  );
}

/** Adds an annotation that is upright as the page is shown. */
export function annotate(
  page: PDFPage,
  shown: ShownPage,
  tags: TagTree | null,
  { box, text, operators, forms = {}, entries }: Annotation,
): void {
  const { context } = page.doc;
  const [a, b, c, d, e, f] = matrixOf(shown);
  const [left, bottom] = [a * box.x + c * box.y + e, b * box.x + d * box.y + f];
  const [width, height] = [a * box.width + c * box.height, b * box.width + d * box.height];
  const annotation = context.register(
    context.obj({
      Type: 'Annot',
      Rect: [
        Math.min(left, left + width),
        Math.min(bottom, bottom + height),
        Math.max(left, left + width),
        Math.max(bottom, bottom + height),
      ],
      P: page.ref,
      F: FIXED,
      Contents: PDFHexString.fromText(text),
      AP: { N: appearance(page, shown, { box, operators, forms }) },
      ...entries,
    }),
  );
  addAnnotation(page, annotation);
  tags?.addAnnotation(page, annotation, 'Annot');
}
