import { PDFDocument, PDFName, PDFObjectCopier, PDFPage, PDFRef } from '@cantoo/pdf-lib';
import { onFile } from '../reading/file-fault.js';
import { TagTree } from '../tags/tag-tree.js';
import { openForUpdate, untracked, updated } from '../updates/file-update.js';

/**
 * Appends pages with their tags to a file as an incremental update. The original file stays at the beginning, byte for byte, so
 * that its hash can still be verified. `pages` makes the file to append, and gets the number of the pages before. Rejects with
 * FileFault if the file cannot be changed.
 */
export async function appendPages(pdf: Buffer, pages: (pagesBefore: number) => Buffer): Promise<Buffer> {
  const document = await onFile(() => openForUpdate(pdf));
  const behind = await PDFDocument.load(pages(await onFile(() => document.getPageCount())), { updateMetadata: false });
  const copier = PDFObjectCopier.for(behind.context, document.context);
  return onFile(async () => {
    const tree = TagTree.of(document);
    const tags = tree && behind.catalog.get(PDFName.of('StructTreeRoot'));
    // by reference, so that the tags refer to the same copies
    const { pages: copies, tags: copiedTags } = untracked(document.context, () => ({
      pages: behind.getPages().map(({ ref }) => copier.copy(ref)),
      tags: tags instanceof PDFRef ? copier.copy(tags) : null,
    }));
    const added = copies.map((ref) => document.addPage(PDFPage.of(document.context.lookup(ref) as PDFPage['node'], ref, document)));
    if (copiedTags) tree?.append(copiedTags, added);
    return updated(document);
  });
}
