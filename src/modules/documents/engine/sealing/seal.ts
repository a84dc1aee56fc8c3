import { hash } from 'node:crypto';
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFString,
  type PDFDocument,
  type PDFObject,
  type PDFPage,
} from '@cantoo/pdf-lib';
import { SignPdf, Signer } from '@signpdf/signpdf';
import { FileFault, onFile } from '../reading/file-fault.js';
import { embedded } from '../certificate/append-pages.js';
import { widgetsOf } from '../forms/widgets.js';
import { permitsOnlyFilling } from '../signatures/restrictions.js';
import { TagTree } from '../tags/tag-tree.js';
import { addAnnotation, openForUpdate, updated } from '../updates/file-update.js';
import { fieldOf } from '../updates/pdf-objects.js';
import { cms, cmsLength, readSealKey, type SealKey } from './seal-cms.js';

export interface SealOptions {
  /** PKCS#12 with an RSA key, its certificate and the issuing certificates. */
  p12: Buffer;
  passphrase: string;
  reason: string;
  location: string;
  /** Name of the organization that seals the file. */
  name: string;
  signingTime: Date;
}

/** @signpdf looks for this name to fill in the byte range. It reserves ten characters. */
const PLACEHOLDER = PDFName.of('**********');
const SIGNATURES_EXIST_APPEND_ONLY = 3;
const PRINT_LOCKED = 132;

/** A token with its certificates takes 3 to 8 KiB. */
const TIME_STAMP_LENGTH = 16 * 1024;

/** Keys by the hash of their file, because decrypting a key takes longer than sealing. A process uses one file. */
const keys = new Map<string, SealKey>();

/**
 * Adds a digital signature over the whole file (PAdES B-B) as an incremental update, which keeps the existing bytes.
 * `hasTimeStamp` leaves room for a time stamp. Forms and signatures of an uploaded file stay. `field` is a signature field of the file to
 * sign instead of a new one; `attachment` is attached to the new one. Rejects with FileFault if the file cannot be changed.
 */
export async function seal(pdf: Uint8Array, options: SealOptions, place: SealPlace = {}): Promise<Buffer> {
  return sealed(await onFile(() => openForUpdate(pdf)), options, place);
}

interface SealPlace {
  hasTimeStamp?: boolean;
  field?: string;
  attachment?: Uint8Array;
}

/** The same of a file that is open for changes, with the changes. */
export async function sealed(
  document: PDFDocument,
  options: SealOptions,
  { hasTimeStamp = false, field, attachment }: SealPlace = {},
): Promise<Buffer> {
  const key = keyOf(options);
  const length = cmsLength(key) + (hasTimeStamp ? TIME_STAMP_LENGTH : 0);
  const prepared = await onFile(() => {
    if (originalOf(document).includes(PLACEHOLDER.toString())) throw new FileFault('The file has a signature that was not completed.');
    addSignature(document, options, length, { field, attachment });
    return updated(document);
  });
  return new SignPdf().sign(prepared, new CmsSigner(key), options.signingTime);
}

function originalOf({ context }: PDFDocument): Buffer {
  const { buffer, byteOffset, byteLength } = context.pdfFileDetails.originalBytes ?? new Uint8Array();
  return Buffer.from(buffer, byteOffset, byteLength);
}

function keyOf({ p12, passphrase }: SealOptions): SealKey {
  const id = hash('sha256', Buffer.concat([p12, Buffer.from(passphrase)]));
  const key = keys.get(id) ?? readSealKey(p12, passphrase);
  keys.set(id, key);
  return key;
}

class CmsSigner extends Signer {
  constructor(private readonly key: SealKey) {
    super();
  }

  override sign(content: Buffer): Promise<Buffer> {
    return cms(content, this.key);
  }
}

/**
 * Adds an invisible field on the last page, with the appearance that archives and the tag that screen readers expect; or signs a field of
 * the file. The signature is a placeholder of `length` bytes, excluded from the byte range.
 */
function addSignature(
  document: PDFDocument,
  { reason, location, name, signingTime }: SealOptions,
  length: number,
  { field: own, attachment }: { field?: string; attachment?: Uint8Array },
): void {
  const { context } = document;
  const range = PDFArray.withContext(context);
  [PDFNumber.of(0), PLACEHOLDER, PLACEHOLDER, PLACEHOLDER].forEach((entry) => range.push(entry));
  const signature = context.register(
    context.obj({
      Type: 'Sig',
      Filter: 'Adobe.PPKLite',
      SubFilter: 'ETSI.CAdES.detached',
      ByteRange: range,
      Contents: PDFHexString.of('00'.repeat(length)),
      Reason: PDFHexString.fromText(reason),
      Location: PDFHexString.fromText(location),
      Name: PDFHexString.fromText(name),
      M: PDFString.fromDate(signingTime),
    }),
  );
  const form = document.catalog.lookupMaybe(PDFName.of('AcroForm'), PDFDict)?.clone(context) ?? context.obj({});
  document.catalog.set(PDFName.of('AcroForm'), context.register(form));
  form.set(PDFName.of('SigFlags'), PDFNumber.of(SIGNATURES_EXIST_APPEND_ONLY));
  if (own !== undefined) {
    const widget = widgetsOf(document).find((one) => one.name === own && one.kind === 'signature');
    if (!widget) throw new FileFault('The file has no such signature field.');
    fieldOf(widget.dict).set(PDFName.of('V'), signature);
    return;
  }
  const page = document.getPages().at(-1) as PDFPage;
  const field = context.register(
    context.obj({
      Type: 'Annot',
      Subtype: 'Widget',
      FT: 'Sig',
      T: PDFString.of(nameIn(form)),
      V: signature,
      P: page.ref,
      F: PRINT_LOCKED,
      Rect: [0, 0, 0, 0],
      AP: { N: context.register(context.stream('', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 0, 0], Resources: {} })) },
      ...(attachment ? { AF: [embedded(context, attachment)] } : {}),
    }),
  );
  addAnnotation(page, field);
  if (!permitsOnlyFilling(document)) TagTree.of(document)?.addAnnotation(page, field, 'Form');
  form.set(PDFName.of('Fields'), context.obj([...fieldsOf(form), field]));
}

function fieldsOf(form: PDFDict): PDFObject[] {
  return form.lookupMaybe(PDFName.of('Fields'), PDFArray)?.asArray() ?? [];
}

/** A name that no other field of the form has. */
function nameIn(form: PDFDict): string {
  const names = fieldsOf(form).map((field) => {
    const name = (form.context.lookup(field) as PDFDict | undefined)?.get(PDFName.of('T'));
    return name instanceof PDFString || name instanceof PDFHexString ? name.decodeText() : null;
  });
  let name = 'Seal';
  for (let number = 2; names.includes(name); number++) name = `Seal ${number}`;
  return name;
}
