import { PDFArray, PDFDict, PDFName, type PDFRef } from '@cantoo/pdf-lib';
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
  // those of earlier signatures stay
  const earlier = (key: string): PDFDict => catalog.lookupMaybe(PDFName.of(key), PDFDict)?.clone(context) ?? context.obj({});
  const store = earlier('DSS');
  store.set(PDFName.of('Type'), PDFName.of('DSS'));
  for (const [key, files] of Object.entries({ Certs: certificates, OCSPs: ocspResponses, CRLs: crls })) {
    const known = store.lookupMaybe(PDFName.of(key), PDFArray)?.asArray() ?? [];
    if (files.length > 0) store.set(PDFName.of(key), context.obj([...known, ...streams(files)]));
  }
  const extensions = earlier('Extensions');
  extensions.set(PDFName.of('ESIC'), context.obj(ESIC));
  catalog.set(PDFName.of('DSS'), context.register(store));
  catalog.set(PDFName.of('Extensions'), extensions);
  return updated(document);
}
