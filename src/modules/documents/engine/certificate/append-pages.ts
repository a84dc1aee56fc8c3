import { PDFDocument, PDFHexString, PDFName, PDFObjectCopier, PDFPage, PDFRef, type PDFContext } from '@cantoo/pdf-lib';
import { FileFault, onFile } from '../reading/file-fault.js';
import { permitsOnlyFilling } from '../signatures/restrictions.js';
import { isSigned } from '../signatures/signatures.js';
import { annotate } from '../stamping/annotations.js';
import { shownPage } from '../stamping/page-box.js';
import { TagTree } from '../tags/tag-tree.js';

/**
 * Appends pages with their tags to a file that is open for changes. The original file stays at the beginning, byte for byte, so
 * that its hash can still be verified. They are attached to a signed file, because more pages would break the signatures. For a file of
 * which only form fields may change, they are returned: its seal takes the attachment. `pages` makes the file to append, and gets the
 * number of the pages before. Rejects with FileFault if the file cannot be changed.
 */
export async function appendPages(
  document: PDFDocument,
  pages: (pagesBefore: number, isAttached: boolean) => Buffer,
): Promise<Buffer | undefined> {
  const isAttached = await onFile(() => isSigned(document));
  const made = pages(await onFile(() => document.getPageCount()), isAttached);
  if (isAttached) {
    if (await onFile(() => permitsOnlyFilling(document))) return made;
    await onFile(() => attach(document, made));
    return undefined;
  }
  const behind = await PDFDocument.load(made, { updateMetadata: false });
  const copier = PDFObjectCopier.for(behind.context, document.context);
  return onFile(() => {
    const tree = TagTree.of(document);
    const tags = tree && behind.catalog.get(PDFName.of('StructTreeRoot'));
    // by reference, so that the tags refer to the same copies
    const copies = behind.getPages().map(({ ref }) => copier.copy(ref));
    const copiedTags = tags instanceof PDFRef ? copier.copy(tags) : null;
    const added = copies.map((ref) => document.addPage(PDFPage.of(document.context.lookup(ref) as PDFPage['node'], ref, document)));
    if (copiedTags) tree?.append(copiedTags, added);
    return undefined;
  });
}

const ATTACHMENT = 'certificate.pdf';
/** Of the mark of the attachment, and its distance from the corner of the page, in points. */
const [SIZE, MARGIN] = [14, 6];
/** A paper clip. */
const CLIP =
  '0.08 0.09 0.12 RG 1.1 w 1 J 1 j 4 4 m 4 10 l 4 12.5 10 12.5 10 10 c 10 3.5 l 10 1.5 6 1.5 6 3.5 c ' +
  '6 9.5 l 6 10.5 8 10.5 8 9.5 c 8 4.5 l S';

/** Attaches a file to the last page, by a mark in its lower right corner. */
function attach(document: PDFDocument, file: Buffer): void {
  const { context } = document;
  const page = document.getPages().at(-1);
  const shown = page && shownPage(page);
  if (!shown) throw new FileFault('The last page has no area.');
  annotate(page, shown, TagTree.of(document), {
    box: { x: shown.width - SIZE - MARGIN, y: MARGIN, width: SIZE, height: SIZE },
    text: ATTACHMENT,
    operators: CLIP,
    entries: { Subtype: 'FileAttachment', Name: 'Paperclip', FS: embedded(context, file) },
  });
}

/** A file specification for a file within the file. */
export function embedded(context: PDFContext, file: Uint8Array): PDFRef {
  const stream = context.register(
    context.flateStream(file, { Type: 'EmbeddedFile', Subtype: PDFName.of('application/pdf'), Params: { Size: file.length } }),
  );
  const name = PDFHexString.fromText(ATTACHMENT);
  const entry = { Type: 'Filespec', F: name, UF: name, EF: { F: stream, UF: stream }, AFRelationship: PDFName.of('Supplement') };
  return context.register(context.obj(entry));
}
