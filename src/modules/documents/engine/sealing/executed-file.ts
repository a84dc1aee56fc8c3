import type { PDFDocument } from '@cantoo/pdf-lib';
import { appendPages } from '../certificate/append-pages.js';
import { formToFill } from '../forms/filled-form.js';
import { signedFields } from '../forms/signed-fields.js';
import { onFile } from '../reading/file-fault.js';
import { stamp, type Stamp } from '../stamping/stamp-pdf.js';
import { openForUpdate } from '../updates/file-update.js';
import { sealed, type SealOptions } from './seal.js';

export interface Execution {
  stamps: readonly Stamp[];
  /** BCP 47, of the stamps. */
  language: string;
  /** Makes the certificate of the signatures. */
  certificate?: (pagesBefore: number, isAttached: boolean) => Buffer;
  /** Leaves room for a time stamp in the seal. */
  hasTimeStamp?: boolean;
}

/**
 * Prints stamps on a file that is open for changes, appends the certificate and seals all of it, in one update: to open and to write a
 * large file takes longer than to change it. Only form fields that parties sign digitally take updates of their own. Rejects with
 * FileFault if the file cannot be changed.
 */
export async function executedFile(
  document: PDFDocument,
  { stamps, language, certificate, hasTimeStamp }: Execution,
  options: SealOptions,
): Promise<Buffer> {
  if (stamps.length > 0) await stamp(document, stamps, language, formToFill);
  let file = document;
  for (const field of await signedFields(document, stamps)) {
    const signed = await sealed(file, options, { field });
    file = await onFile(() => openForUpdate(signed));
  }
  const attachment = certificate && (await appendPages(file, certificate));
  return sealed(file, options, { hasTimeStamp, attachment });
}
