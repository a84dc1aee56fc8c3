import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFNumber, PDFString } from '@cantoo/pdf-lib';
import { SignPdf, Signer } from '@signpdf/signpdf';
import { cms, cmsLength, readSealKey, type SealKey } from './seal-cms.js';
import { keyFile } from './seal-key.fixture.js';
import { addAnnotation, openForUpdate, updated } from '../updates/file-update.js';

const name = (text: string) => PDFName.of(text);
const SIGNED_AT = new Date('2026-02-11T10:00:00Z');

/** A form of one page that its author certified; `permission` is /P of DocMDP. Its signature field `consent` is open. */
export async function certifiedForm(permission: 1 | 2 | 3): Promise<Buffer> {
  const source = await PDFDocument.create();
  const page = source.addPage([400, 500]);
  page.drawText('A certified form', { x: 40, y: 460, size: 14 });
  const form = source.getForm();
  const place = form.createTextField('place');
  place.enableMultiline();
  place.addToPage(page, { x: 40, y: 400, width: 200, height: 40 });
  form.createCheckBox('agreed').addToPage(page, { x: 40, y: 360, width: 16, height: 16 });
  const consent = { Type: 'Annot', Subtype: 'Widget', FT: 'Sig', T: PDFString.of('consent'), F: 4, P: page.ref, Rect: [40, 280, 240, 330] };
  const field = source.context.register(source.context.obj(consent));
  page.node.addAnnot(field);
  form.acroForm.addField(field);
  const document = await openForUpdate(await source.save({ useObjectStreams: false }));
  const { p12, passphrase } = keyFile();
  const key = readSealKey(p12, passphrase);
  certify(document, permission, cmsLength(key));
  return new SignPdf().sign(await updated(document), new CmsSigner(key), SIGNED_AT);
}

class CmsSigner extends Signer {
  constructor(private readonly key: SealKey) {
    super();
  }

  override sign(content: Buffer): Promise<Buffer> {
    return cms(content, this.key);
  }
}

function certify(document: PDFDocument, permission: number, length: number): void {
  const { context, catalog } = document;
  const range = PDFArray.withContext(context);
  [PDFNumber.of(0), ...Array.from({ length: 3 }, () => name('**********'))].forEach((entry) => range.push(entry));
  const TransformParams = { Type: 'TransformParams', V: name('1.2'), P: permission };
  const signature = context.register(
    context.obj({
      Type: 'Sig',
      Filter: 'Adobe.PPKLite',
      SubFilter: 'ETSI.CAdES.detached',
      ByteRange: range,
      Contents: PDFHexString.of('00'.repeat(length)),
      Reference: [{ Type: 'SigRef', TransformMethod: 'DocMDP', TransformParams }],
      M: PDFString.fromDate(SIGNED_AT),
    }),
  );
  const [page] = document.getPages();
  const widget = {
    Type: 'Annot',
    Subtype: 'Widget',
    FT: 'Sig',
    T: PDFString.of('Author'),
    V: signature,
    F: 132,
    P: page.ref,
    Rect: [0, 0, 0, 0],
  };
  const field = context.register(context.obj(widget));
  addAnnotation(page, field);
  const form = catalog.lookup(name('AcroForm'), PDFDict);
  form.set(name('Fields'), context.obj([...form.lookup(name('Fields'), PDFArray).asArray(), field]));
  form.set(name('SigFlags'), PDFNumber.of(3));
  catalog.set(name('Perms'), context.obj({ DocMDP: signature }));
}
