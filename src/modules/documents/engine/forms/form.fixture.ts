import { degrees, type PDFArray, PDFBool, PDFDocument, PDFHexString, PDFName, PDFNumber } from '@cantoo/pdf-lib';

export interface FormOptions {
  turn?: number;
  crop?: [x: number, y: number, width: number, height: number];
  /** Without the appearances that show the values. */
  isBare?: boolean;
  /** Without values, except for those of the list. */
  isEmpty?: boolean;
  needsAppearances?: boolean;
  hasActions?: boolean;
  isTagged?: boolean;
  /** Width of the frame of the first field. */
  frame?: number;
  useObjectStreams?: boolean;
}

const name = (text: string) => PDFName.of(text);

/** A page with a form field of each kind, which are filled in. */
export async function formFile(options: FormOptions = {}): Promise<Buffer> {
  const document = await PDFDocument.create();
  const page = document.addPage([400, 500]);
  if (options.turn) page.setRotation(degrees(options.turn));
  if (options.crop) page.setCropBox(...options.crop);
  page.drawText('A form', { x: 40, y: 460, size: 14 });
  const form = document.getForm();
  const text = form.createTextField('person.name');
  text.setText('Ada Lovelace');
  text.addToPage(page, { x: 40, y: 400, width: 200, height: 20, borderWidth: options.frame ?? 1 });
  const lines = form.createTextField('note');
  lines.enableMultiline();
  lines.setText('First line\nSecond line');
  lines.addToPage(page, { x: 40, y: 320, width: 200, height: 60 });
  lines.setFontSize(10);
  const cells = form.createTextField('code');
  cells.setMaxLength(8);
  cells.enableCombing();
  cells.setText('98765');
  cells.addToPage(page, { x: 40, y: 290, width: 160, height: 20 });
  for (const [index, isOn] of [true, false].entries()) {
    const box = form.createCheckBox(`box ${isOn}`);
    box.addToPage(page, { x: 40 + 30 * index, y: 260, width: 16, height: 16 });
    if (isOn) box.check();
  }
  const choice = form.createRadioGroup('choice');
  for (const [index, option] of ['one', 'two'].entries())
    choice.addOptionToPage(option, page, { x: 100 + 30 * index, y: 260, width: 16, height: 16 });
  choice.select('two');
  const country = form.createDropdown('country');
  country.addOptions(['Germany', 'France']);
  country.select('France');
  country.addToPage(page, { x: 40, y: 220, width: 100, height: 20 });
  const colors = form.createOptionList('colors');
  colors.addOptions(['Red', 'Green', 'Blue']);
  colors.select('Green');
  colors.addToPage(page, { x: 40, y: 150, width: 100, height: 50 });
  form.createButton('send').addToPage('Send', page, { x: 200, y: 150, width: 80, height: 20 });
  const hidden = form.createTextField('hidden');
  hidden.setText('Concealed');
  hidden.addToPage(page, { x: 40, y: 100, width: 200, height: 20, hidden: true });
  if (options.isEmpty) {
    for (const field of [text, lines, cells]) field.setText(undefined);
    choice.clear();
    form.getCheckBox('box true').uncheck();
    country.clear();
  }
  form.updateFieldAppearances();
  const widgets = form.getFields().flatMap((field) => field.acroField.getWidgets());
  if (options.isBare) for (const { dict } of widgets) dict.delete(name('AP'));
  if (options.needsAppearances) form.acroForm.dict.set(name('NeedAppearances'), PDFBool.True);
  if (options.hasActions) {
    const script = document.context.obj({ S: 'JavaScript', JS: PDFHexString.fromText('app.alert(1)') });
    document.addJavaScript('calculate', 'app.alert(2)');
    document.catalog.set(name('OpenAction'), script);
    page.node.set(name('AA'), document.context.obj({ O: script, C: { S: 'GoTo', D: [page.ref, 'Fit'] } }));
    page.node.addAnnot(
      document.context.register(document.context.obj({ Subtype: 'Link', Rect: [0, 0, 9, 9], A: { S: 'Hide', T: 'note' } })),
    );
    const link = { Subtype: 'Link', Rect: [9, 9, 19, 19], A: { S: 'URI', URI: PDFHexString.fromText('https://example.com') } };
    page.node.addAnnot(document.context.register(document.context.obj(link)));
  }
  if (options.isTagged) {
    const { context, catalog } = document;
    const root = context.register(context.obj({ Type: 'StructTreeRoot' }));
    const annotations = (page.node.Annots() as PDFArray).asArray();
    const elements = annotations.map((annotation, index) => {
      widgets.find(({ dict }) => context.lookup(annotation) === dict)?.dict.set(name('StructParent'), PDFNumber.of(index + 1));
      const K = context.obj({ Type: 'OBJR', Obj: annotation, Pg: page.ref });
      return context.register(context.obj({ Type: 'StructElem', S: 'Form', P: root, K }));
    });
    const Nums = elements.flatMap((element, index) => [PDFNumber.of(index + 1), element]);
    context.assign(root, context.obj({ Type: 'StructTreeRoot', K: elements, ParentTree: { Nums } }));
    catalog.set(name('StructTreeRoot'), root);
    catalog.set(name('MarkInfo'), context.obj({ Marked: true }));
  }
  return Buffer.from(await document.save({ updateFieldAppearances: false, useObjectStreams: options.useObjectStreams ?? false }));
}
