import type { PdfProblem } from '../reading/pdf-text.js';
import type { Pdfium } from './pdfium-module.js';
import { discardPdfium, isOfFile, pdfiumOfThread } from './pdfium.js';

/** Permissions by their bits (ISO 32000-1, table 22). */
const MODIFY = 1 << 3;
const ANNOTATE = 1 << 5;
const FILL_IN = 1 << 8;

/**
 * A copy of a file without its encryption, if its author permits to change or sign it, and if it opens without a password. The copy
 * has the same content, but other bytes.
 */
export async function withoutEncryption(bytes: Uint8Array): Promise<Uint8Array | PdfProblem> {
  try {
    return copyOf(await pdfiumOfThread(), bytes);
  } catch (error) {
    discardPdfium();
    if (!isOfFile(error)) throw error;
    return { problem: 'is encrypted in a way that cannot be read; save it without encryption' };
  }
}

function copyOf(module: Pdfium, bytes: Uint8Array): Uint8Array | PdfProblem {
  const { malloc, free } = module.pdfium.wasmExports;
  const address = malloc(bytes.length);
  if (address === 0) return { problem: 'takes too much memory to read' };
  module.pdfium.HEAPU8.set(bytes, address);
  const document = module.FPDF_LoadMemDocument(address, bytes.length, '');
  try {
    if (document === 0) return { problem: 'is protected by a password; save it without one' };
    if ((module.FPDF_GetDocPermissions(document) & (MODIFY | ANNOTATE | FILL_IN)) === 0)
      return { problem: 'is encrypted, and its author permits neither changes nor signatures; save it without these restrictions' };
    const writer = module.PDFiumExt_OpenFileWriter();
    try {
      if (!module.EPDF_RemoveEncryption(document) || !module.PDFiumExt_SaveAsCopy(document, writer))
        return { problem: 'is encrypted in a way that cannot be read; save it without encryption' };
      const size = module.PDFiumExt_GetFileWriterSize(writer);
      const copy = malloc(size);
      if (copy === 0) return { problem: 'takes too much memory to read' };
      module.PDFiumExt_GetFileWriterData(writer, copy, size);
      const read = module.pdfium.HEAPU8.slice(copy, copy + size);
      free(copy);
      return read;
    } finally {
      module.PDFiumExt_CloseFileWriter(writer);
    }
  } finally {
    if (document !== 0) module.FPDF_CloseDocument(document);
    free(address);
  }
}
