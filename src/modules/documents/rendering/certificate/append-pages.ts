import { PDFArray, PDFDict, PDFDocument, PDFName, PDFNumber, PDFObjectCopier, PDFPage, PDFRef, type PDFObject } from '@cantoo/pdf-lib';

const name = (text: string) => PDFName.of(text);

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
  const tags = behind.catalog.get(name('StructTreeRoot'));
  if (document.catalog.has(name('StructTreeRoot')) && tags instanceof PDFRef) appendTags(document, copier.copy(tags), added);
  return Buffer.from(await document.commit({ useObjectStreams: false }));
}

/** Moves the tags of the copied tree behind those of the document, into its top element if it has a single one. */
function appendTags(document: PDFDocument, copied: PDFRef, pages: readonly PDFPage[]): void {
  const { context, catalog } = document;
  const rootRef = catalog.get(name('StructTreeRoot')) as PDFRef;
  const root = context.lookup(rootRef, PDFDict);
  const other = context.lookup(copied, PDFDict);
  const tops = childrenOf(root);
  const parentRef = tops.length === 1 ? (tops[0] as PDFRef) : rootRef;
  const parent = context.lookup(parentRef, PDFDict);
  const children = childrenOf(other);
  for (const child of children) {
    const element = context.lookup(child, PDFDict);
    element.set(name('P'), parentRef);
    element.set(name('S'), name('Sect'));
  }
  parent.set(name('K'), context.obj([...childrenOf(parent), ...children]));

  // pages refer to their tags by numbers, which must be unique in the file
  const numbers = numbersOf(root);
  const next = Math.max(-1, ...numbers.filter((_, index) => index % 2 === 0).map((key) => (key as PDFNumber).asNumber())) + 1;
  const more = numbersOf(other).map((entry, index) => (index % 2 === 0 ? PDFNumber.of((entry as PDFNumber).asNumber() + next) : entry));
  root.set(name('ParentTree'), context.obj({ Nums: [...numbers, ...more] }));
  root.delete(name('ParentTreeNextKey'));
  for (const { node } of pages) {
    const key = node.lookupMaybe(name('StructParents'), PDFNumber);
    if (key) node.set(name('StructParents'), PDFNumber.of(key.asNumber() + next));
  }
  context.delete(copied);
}

function childrenOf(element: PDFDict): PDFObject[] {
  const children = element.get(name('K'));
  const list = children && element.context.lookup(children);
  if (list instanceof PDFArray) return list.asArray();
  return children === undefined ? [] : [children];
}

/** The entries of a number tree in order: a key, then its value. */
function numbersOf(root: PDFDict): PDFObject[] {
  const entries = (node: PDFDict): PDFObject[] => [
    ...(node.lookupMaybe(name('Nums'), PDFArray)?.asArray() ?? []),
    ...(node.lookupMaybe(name('Kids'), PDFArray)?.asArray() ?? []).flatMap((kid) => entries(root.context.lookup(kid, PDFDict))),
  ];
  const tree = root.lookupMaybe(name('ParentTree'), PDFDict);
  return tree ? entries(tree) : [];
}
