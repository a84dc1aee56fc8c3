import { PDFDocument, PDFName, type PDFContext, type PDFPage, type PDFRef } from '@cantoo/pdf-lib';

/** Opens a file for changes that are appended to it, which keeps its bytes. */
export function openForUpdate(pdf: Uint8Array): Promise<PDFDocument> {
  return PDFDocument.load(pdf, { forIncrementalUpdate: true, updateMetadata: false });
}

/**
 * The file with the changes at its end, in the form of the file: a table of objects behind a table, a stream behind a stream, because
 * ISO 32000-1, 7.5.8.4 defines no other mixture, and some readers reject it.
 */
export async function updated(document: PDFDocument): Promise<Buffer> {
  const { originalBytes, prevStartXRef } = document.context.pdfFileDetails;
  const table = Buffer.from(originalBytes?.subarray(prevStartXRef, prevStartXRef + 40) ?? []).toString('latin1');
  return Buffer.from(await document.commit({ useObjectStreams: /^\s*\d+\s+\d+\s+obj\b/.test(table) }));
}

/** Unlike the library's own way, it leaves the contents of the page as they are: another signature can cover them. */
export function addAnnotation({ node, doc: { context } }: PDFPage, annotation: PDFRef): void {
  node.set(PDFName.of('Annots'), context.obj([...(node.Annots()?.asArray() ?? []), annotation]));
}

/**
 * For work that only adds objects, which an update contains anyway, or that names the objects it `changed`. For each entry of an object
 * that changes, the library looks through the whole file for the object.
 */
export function untracked<T>(context: PDFContext, work: (changed: (ref: PDFRef) => void) => T): T {
  const { snapshot } = context;
  context.snapshot = undefined;
  try {
    return work((ref) => snapshot?.markRefForSave(ref));
  } finally {
    context.snapshot = snapshot;
  }
}
