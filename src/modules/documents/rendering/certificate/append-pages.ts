import { PDFDocument, PDFName, PDFObjectCopier, PDFPage, PDFRef } from '@cantoo/pdf-lib';
import { TagTree } from '../tags/tag-tree.js';

/**
 * Appends pages with their tags to a file as an incremental update. The original file stays at the beginning, byte for byte, so
 * that its hash can still be verified. `pages` makes the file to append, and gets the number of the pages before.
 */
export async function appendPages(pdf: Buffer, pages: (pagesBefore: number) => Buffer): Promise<Buffer> {
  const document = await PDFDocument.load(pdf, { forIncrementalUpdate: true, updateMetadata: false });
  const behind = await PDFDocument.load(pages(document.getPageCount()), { updateMetadata: false });
  const copier = PDFObjectCopier.for(behind.context, document.context);
  const added = behind.getPages().map(({ ref }) => {
    // by reference, so that the tags refer to the same copies
    const copied = copier.copy(ref);
    return document.addPage(PDFPage.of(document.context.lookup(copied) as PDFPage['node'], copied, document));
  });
  const tags = behind.catalog.get(PDFName.of('StructTreeRoot'));
  if (tags instanceof PDFRef) TagTree.of(document)?.append(copier.copy(tags), added);
  return Buffer.from(await document.commit({ useObjectStreams: false }));
}
