import {
  PDFArray,
  type PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  PDFString,
  type PDFContext,
  type PDFPage,
  type PDFRef,
} from '@cantoo/pdf-lib';

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

interface Entries {
  [key: string]: string | PDFRef | Entries | (string | PDFRef | Entries)[];
}

/** A file with a layer that is used in this way; `config` is for it and its number. */
function layered(Usage: Entries, config: (layer: PDFRef) => Entries) {
  return fileWith(({ catalog }, [page], context) => {
    const layer = context.register(context.obj({ Type: 'OCG', Name: PDFString.of('Clause'), Usage }));
    catalog.set(name('OCProperties'), context.obj({ OCGs: [layer], D: config(layer) }));
    draw(page, context, '/OC /L BDC 0 0 99 99 re f EMC');
    page.node.Resources()?.set(name('Properties'), context.obj({ L: layer }));
  });
}

const PRINTED = { View: { ViewState: 'OFF' }, Print: { PrintState: 'ON' } };
const forPrint = (layer: PDFRef) => ({ OFF: [layer], AS: [{ Event: 'Print', OCGs: [layer], Category: ['Print'] }] });

/** A file with an annotation that has these flags. */
function annotated(flags: number, Subtype = 'Square') {
  return fileWith((_, [, page], context) => {
    const annotation = context.register(context.obj({ Type: 'Annot', Subtype, Rect: [60, 60, 90, 90], F: flags }));
    page.node.set(name('Annots'), context.obj([annotation]));
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

/** A file with a signature of a member; `method` is how it restricts changes. */
function signed(method?: string) {
  return fileWith((document, _, context) => {
    const Reference = method === undefined ? [] : [context.obj({ Type: 'SigRef', TransformMethod: method })];
    const V = context.register(context.obj({ Type: 'Sig', Filter: 'Adobe.PPKLite', Contents: PDFString.of(''), Reference }));
    const field = context.register(context.obj({ FT: 'Sig', T: PDFString.of('Seal'), V }));
    document.catalog.set(name('AcroForm'), context.obj({ Fields: [field], SigFlags: 3 }));
  });
}

/** The title is an object of its own. */
function titled() {
  return fileWith((document, _, context) => {
    document.setProducer('Łódź');
    (context.lookup(context.trailerInfo.Info) as PDFDict).set(name('Title'), context.register(PDFString.of('Lease')));
  });
}

const kidsOf = (document: PDFDocument) => document.catalog.Pages().lookup(name('Kids'), PDFArray);

/** A file with a wrong number of its two pages. */
const counting = (count: number) => fileWith((document) => document.catalog.Pages().set(name('Count'), PDFNumber.of(count)));

function draw(page: PDFPage, context: PDFContext, contents: string): void {
  page.node.set(name('Contents'), context.register(context.stream(contents)));
}

type Files = Readonly<Record<string, () => Promise<Buffer>>>;

/** Contents of a page that leave something behind; each shows a square. */
export const UNBALANCED: Readonly<Record<string, string>> = {
  'a state that stays open': 'q 0.5 0 0 0.5 0 0 cm 0 0 9 9 re f',
  'more states ended than begun': 'q Q Q Q 0.5 0 0 0.5 100 100 cm 0 0 9 9 re f Q Q',
  'a scale of its own': '0.1 0 0 -0.1 0 842 cm 0 0 9 9 re f',
  'a text that stays open': '0 0 9 9 re f BT /F1 40 Tf 3 Tr 2 0 0 2 300 300 Tm (x) Tj',
  'marked content that stays open': '/Span <</MCID 9>> BDC /OC /None BDC 0 0 9 9 re f',
  'a path that stays open': '0 0 9 9 re f 0 0 2000 2000 re W',
  'a clip that stays': '0 0 9 9 re f q 0 0 5 5 re W n',
  'an image that contains operators': 'q 9 0 0 9 0 0 cm BI /W 10 /H 1 /BPC 8 /CS /G ID Q Q qq Q q\nEI Q',
  'a compressed image that contains operators':
    'q 9 0 0 9 0 0 cm BI /W 9 /H 9 /BPC 8 /CS /G /F /Fl ID x\x9c Q EI \x01\x80 q EI Q\n\xff EI Q',
  'a text that does not end': '0 0 9 9 re f q (abc \\) Q',
  'an array that does not end': '0 0 9 9 re f [ (a) 12 q',
  'operators in texts and comments': '0 0 9 9 re f BT (Q \\) Q (Q)) Tj ET % Q Q Q\n<51> pop q % no end',
};

/** Files that can be executed, odd as they are. */
export const SEALABLE: Files = {
  plain: () => fileWith(() => undefined),
  'with a title': () => titled(),
  tagged: () => tagged(),
  'tagged, without numbers': () => tagged((root) => root.delete(name('ParentTree'))),
  'tagged, without elements': () => tagged((root) => root.delete(name('K'))),
  'tagged by one inline element': () => tagged((root, context) => root.set(name('K'), context.obj({ Type: 'StructElem', S: 'Document' }))),
  'tagged, with a null as parent tree': () => tagged((root, context) => root.set(name('ParentTree'), context.obj(null))),
  'with an empty list of annotations': () => fileWith((_, [page], context) => page.node.set(name('Annots'), context.obj([]))),
  'with contents of several streams': () =>
    fileWith((_, [page], context) => page.node.set(name('Contents'), context.obj([context.register(context.stream('q Q'))]))),
  'with an ordinary signature': () => signed(),
  'with a certificate that permits annotations': () => certified(3),
  'with a certificate that the catalog does not name': () => signed('DocMDP'),
  'with a visible area that reaches beyond the page': () =>
    fileWith((_, [page], context) => page.node.set(name('CropBox'), context.obj([-100, -100, 900, 400]))),
  'with a page without contents': () => fileWith((_, [page]) => page.node.delete(name('Contents'))),
  'with a page whose contents are empty, but named as compressed': () =>
    fileWith((_, [page], context) => page.node.set(name('Contents'), context.register(context.stream('', { Filter: 'FlateDecode' })))),
  ...Object.fromEntries(
    Object.entries(UNBALANCED).map(([what, contents]) => [
      `with ${what}`,
      () => fileWith((_, [page], context) => draw(page, context, contents)),
    ]),
  ),
  'with a layer that is not shown': () => layered({ Print: { PrintState: 'OFF' } }, forPrint),
  'with a layer whose state for print is not used': () => layered({ Print: { PrintState: 'OFF' } }, () => ({})),
  'with a hidden annotation': () => annotated(2 | 4 | 32),
  'with bytes after its end': async () => Buffer.concat([await fileWith(() => undefined), Buffer.from('\n\0\0\0')]),
};

const without = (key: string) => fileWith((_, [, page]) => page.node.delete(name(key)));

/** Files that cannot be executed, with what the reason says. */
export const UNSEALABLE: readonly [file: string, bytes: () => Promise<Buffer>, reason: RegExp][] = [
  ['a page askew', () => fileWith((_, [page]) => page.node.set(name('Rotate'), PDFNumber.of(45))), /no multiple of 90 degrees \(1\)/],
  [
    'annotations of a wrong type',
    () => fileWith((_, [page], context) => page.node.set(name('Annots'), context.obj({ a: 1 }))),
    /damaged pages/,
  ],
  ['annotations that are a text', () => fileWith((_, [page]) => page.node.set(name('Annots'), PDFString.of('none'))), /damaged pages/],
  ['a layer that is only printed', () => layered(PRINTED, forPrint), /not printed as they are shown \(Clause\)/],
  [
    'a layer that is not printed',
    () => layered({ Print: { PrintState: 'OFF' } }, (layer) => ({ ...forPrint(layer), OFF: [] })),
    /\(Clause\)/,
  ],
  ['a layer that some programs show', () => layered({ View: { ViewState: 'OFF' } }, () => ({})), /\(Clause\)/],
  ['an annotation that is only printed', () => annotated(4 | 32), /printed, but not shown \(2\)/],
  ['a page without type', () => without('Type'), /list of pages/],
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
  ...[false, true].map((isDynamic): (typeof UNSEALABLE)[number] => [
    isDynamic ? 'a dynamic form in XML' : 'a form in XML',
    () =>
      fileWith((document, _, context) => {
        const part = context.register(context.stream('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"/>'));
        document.catalog.set(name('AcroForm'), context.obj({ Fields: [], XFA: isDynamic ? part : [PDFString.of('template'), part] }));
        if (isDynamic) document.catalog.set(name('NeedsRendering'), context.obj(true));
      }),
    /XFA/,
  ]),
  [
    'text in a Japanese font that it only names',
    () =>
      fileWith((_, [page], context) => {
        const descriptor = { Type: 'FontDescriptor', FontName: 'HeiseiMin-W3', Flags: 6 };
        const system = { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Japan1'), Supplement: 2 };
        const part = { Type: 'Font', Subtype: 'CIDFontType0', BaseFont: 'HeiseiMin-W3', CIDSystemInfo: system, FontDescriptor: descriptor };
        const font = { Type: 'Font', Subtype: 'Type0', BaseFont: 'HeiseiMin-W3', Encoding: 'UniJIS-UCS2-H', DescendantFonts: [part] };
        (page.node.Resources() as PDFDict).set(name('Font'), context.obj({ J: font }));
        draw(page, context, 'BT /J 30 Tf 60 700 Td <5951> Tj ET');
      }),
    /fonts that it does not contain \(HeiseiMin-W3\)/,
  ],
  ['a certificate against changes', () => certified(1), /certified/],
  ['a certificate without a field that permits to fill in forms', () => certified(2), /certified/],
  ['a certificate without a permission', () => certified(null), /certified/],
  ['a signature that locks fields', () => signed('FieldMDP'), /locks/],
  ['a count of pages that is too high', () => counting(3), /list of pages/],
  ['a count of pages that is too low', () => counting(1), /list of pages/],
  ['a page that stands in the list twice', () => fileWith((document) => kidsOf(document).set(1, kidsOf(document).get(0))), /list of pages/],
  [
    'an image in its contents that does not end',
    () => fileWith((_, [page], context) => draw(page, context, 'BI /W 9 /H 9 /BPC 8 /CS /G /F /Fl ID abc')),
    /damaged pages/,
  ],
  [
    'a page without an area',
    () => fileWith((_, [page]) => page.node.set(name('MediaBox'), PDFArray.withContext(page.doc.context))),
    /damaged|area/,
  ],
  ['half of its bytes', async () => (await tagged()).subarray(0, 900), /end is missing/],
  ['no header', () => Promise.resolve(Buffer.from('Dear Sir or Madam')), /is not a PDF/],
  ['nothing', () => Promise.resolve(Buffer.alloc(0)), /is not a PDF/],
];
