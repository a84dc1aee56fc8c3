import { PDFArray, type PDFDict, PDFDocument, PDFName, PDFNumber, PDFString, type PDFContext, type PDFPage } from '@cantoo/pdf-lib';

const name = (text: string) => PDFName.of(text);

/** A file of two pages, changed by `change`; written without compression, so that the change is in the bytes as it is. */
async function fileWith(change: (document: PDFDocument, pages: PDFPage[], context: PDFContext) => void): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (const text of ['First page', 'Second page']) document.addPage([595, 842]).drawText(text, { x: 60, y: 760, size: 14 });
  await document.flush();
  change(document, document.getPages(), document.context);
  return Buffer.from(await document.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false }));
}

/** Tags every page as one paragraph; `broken` then damages the tree. */
function tagged(broken: (root: PDFDict, context: PDFContext) => void = () => undefined) {
  return fileWith((document, pages, context) => {
    const elements = pages.map((page, index) => {
      page.node.set(name('StructParents'), PDFNumber.of(index));
      return context.register(context.obj({ Type: 'StructElem', S: 'P', Pg: page.ref, K: 0 }));
    });
    const nums = elements.flatMap((element, index) => [PDFNumber.of(index), context.obj([element])]);
    const root = context.obj({ Type: 'StructTreeRoot', K: elements, ParentTree: { Nums: nums } });
    document.catalog.set(name('StructTreeRoot'), context.register(root));
    document.catalog.set(name('MarkInfo'), context.obj({ Marked: true }));
    broken(root, context);
  });
}

/** A file with the signature of its author; `permission` is P of DocMDP, null if it is absent. */
function certified(permission: number | null) {
  return fileWith((document, _, context) => {
    const TransformParams = { Type: 'TransformParams', V: name('1.2'), ...(permission === null ? {} : { P: permission }) };
    const Reference = [context.obj({ Type: 'SigRef', TransformMethod: 'DocMDP', TransformParams })];
    const signature = context.register(context.obj({ Type: 'Sig', Filter: 'Adobe.PPKLite', Contents: PDFString.of(''), Reference }));
    document.catalog.set(name('Perms'), context.obj({ DocMDP: signature }));
  });
}

type Files = Readonly<Record<string, () => Promise<Buffer>>>;

/** Files that can be executed, odd as they are. */
export const SEALABLE: Files = {
  plain: () => fileWith(() => undefined),
  tagged: () => tagged(),
  'tagged, without numbers': () => tagged((root) => root.delete(name('ParentTree'))),
  'tagged, without elements': () => tagged((root) => root.delete(name('K'))),
  'tagged by one inline element': () => tagged((root, context) => root.set(name('K'), context.obj({ Type: 'StructElem', S: 'Document' }))),
  'tagged, with a null as parent tree': () => tagged((root, context) => root.set(name('ParentTree'), context.obj(null))),
  'certified, forms may be filled in': () => certified(2),
  'certified without a permission': () => certified(null),
  'with an empty list of annotations': () => fileWith((_, [page], context) => page.node.set(name('Annots'), context.obj([]))),
  'with contents of several streams': () =>
    fileWith((_, [page], context) => page.node.set(name('Contents'), context.obj([context.register(context.stream('q Q'))]))),
  'with a page without contents': () => fileWith((_, [page]) => page.node.delete(name('Contents'))),
  'with bytes after its end': async () => Buffer.concat([await fileWith(() => undefined), Buffer.from('\n\0\0\0')]),
};

const without = (key: string) => fileWith((_, [, page]) => page.node.delete(name(key)));

/** Files that cannot be executed, with what the reason says. */
export const UNSEALABLE: readonly [file: string, bytes: () => Promise<Buffer>, reason: RegExp][] = [
  [
    'annotations of a wrong type',
    () => fileWith((_, [page], context) => page.node.set(name('Annots'), context.obj({ a: 1 }))),
    /damaged pages/,
  ],
  ['annotations that are a text', () => fileWith((_, [page]) => page.node.set(name('Annots'), PDFString.of('none'))), /damaged pages/],
  ['a page without type', () => without('Type'), /damaged pages|count differently/],
  [
    'parents of tags that are no list',
    () => tagged((root, context) => root.set(name('ParentTree'), context.obj({ Nums: 7 }))),
    /damaged pages/,
  ],
  ['a tag that is a number', () => tagged((root, context) => root.set(name('K'), context.obj([7]))), /damaged pages/],
  [
    'tags of a page that are no list',
    () => tagged((root, context) => root.set(name('ParentTree'), context.obj({ Nums: [0, context.obj({ a: 1 })] }))),
    /damaged pages/,
  ],
  [
    'no pages',
    () =>
      fileWith((document) => {
        for (const index of [1, 0]) document.removePage(index);
      }),
    /has no pages/,
  ],
  ['a certificate against changes', () => certified(1), /certified/],
  ['a rotated page', () => fileWith((_, [page]) => page.node.set(name('Rotate'), PDFNumber.of(90))), /rotated/],
  [
    'a page without an area',
    () => fileWith((_, [page]) => page.node.set(name('MediaBox'), PDFArray.withContext(page.doc.context))),
    /damaged|area/,
  ],
  ['half of its bytes', async () => (await tagged()).subarray(0, 900), /end is missing/],
  ['no header', () => Promise.resolve(Buffer.from('Dear Sir or Madam')), /is not a PDF/],
  ['nothing', () => Promise.resolve(Buffer.alloc(0)), /is not a PDF/],
];
