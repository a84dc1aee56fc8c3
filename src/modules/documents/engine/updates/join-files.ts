import { PDFDict, PDFDocument, PDFName, type PDFPage } from '@cantoo/pdf-lib';
import { onFile } from '../reading/file-fault.js';

/** The pages of several files in one. What a signature looks like stays; the signature itself covers the file from which it came. */
export async function joinFiles(files: readonly Uint8Array[]): Promise<Uint8Array> {
  const whole = await PDFDocument.create();
  for (const bytes of files)
    await onFile(async () => {
      const file = await PDFDocument.load(bytes, { updateMetadata: false });
      file.getPages().forEach(withoutSignatures);
      for (const page of await whole.copyPages(file, file.getPageIndices())) whole.addPage(page);
    });
  return whole.save();
}

/** A form field without a form would keep its value, which is of no use to readers. */
function withoutSignatures({ node }: PDFPage): void {
  const annotations = node.Annots();
  for (let index = 0; index < (annotations?.size() ?? 0); index++) {
    const annotation = annotations?.lookup(index);
    if (!(annotation instanceof PDFDict)) continue;
    for (const key of ['V', 'Parent']) if (annotation.get(PDFName.of('FT')) === PDFName.of('Sig')) annotation.delete(PDFName.of(key));
  }
}
