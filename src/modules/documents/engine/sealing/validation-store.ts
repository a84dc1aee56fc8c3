import { PDFName, type PDFRef } from '@cantoo/pdf-lib';
import { openForUpdate, updated } from '../updates/file-update.js';
import type { ValidationData } from './revocation.js';

/** The level of Adobe's and ETSI's extension of PDF 1.7 that defines the document security store. */
const ESIC = { BaseVersion: PDFName.of('1.7'), ExtensionLevel: 1 };

/** Adds a document security store (PAdES B-LT, ETSI EN 319 142-1) as an incremental update behind the signature. */
export async function addValidationStore(pdf: Buffer, { certificates, ocspResponses, crls }: ValidationData): Promise<Buffer> {
  const document = await openForUpdate(pdf);
  const { context, catalog } = document;
  const streams = (files: readonly Uint8Array[]): PDFRef[] =>
    files.map((file) => context.register(context.flateStream(new Uint8Array(file))));
  const store = context.obj({
    Type: 'DSS',
    Certs: streams(certificates),
    ...(ocspResponses.length > 0 ? { OCSPs: streams(ocspResponses) } : {}),
    ...(crls.length > 0 ? { CRLs: streams(crls) } : {}),
  });
  catalog.set(PDFName.of('DSS'), context.register(store));
  catalog.set(PDFName.of('Extensions'), context.obj({ ESIC }));
  return updated(document);
}
