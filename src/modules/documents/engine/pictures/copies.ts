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
export function withoutEncryption(bytes: Uint8Array): Promise<Uint8Array | PdfProblem> {
  const unreadable = 'is encrypted in a way that cannot be read; save it without encryption';
  return copyOf(bytes, unreadable, (module, document) => {
    if (document === 0) return 'is protected by a password; save it without one';
    if ((module.FPDF_GetDocPermissions(document) & (MODIFY | ANNOTATE | FILL_IN)) === 0)
      return 'is encrypted, and its author permits neither changes nor signatures; save it without these restrictions';
    return module.EPDF_RemoveEncryption(document) ? null : unreadable;
  });
}

/** A copy of a damaged file that has the objects as this service shows them, with new tables. */
export function repaired(bytes: Uint8Array): Promise<Uint8Array | PdfProblem> {
  const unreadable = 'is not a PDF that can be read';
  return copyOf(bytes, unreadable, (_, document) => (document === 0 ? unreadable : null));
}

/** `prepare` returns why there can be no copy; `document` is 0 if the file cannot be opened. */
async function copyOf(
  bytes: Uint8Array,
  unreadable: string,
  prepare: (module: Pdfium, document: number) => string | null,
): Promise<Uint8Array | PdfProblem> {
  try {
    const module = await pdfiumOfThread();
    const { malloc, free } = module.pdfium.wasmExports;
    const address = malloc(bytes.length);
    if (address === 0) return { problem: 'takes too much memory to read' };
    module.pdfium.HEAPU8.set(bytes, address);
    const document = module.FPDF_LoadMemDocument(address, bytes.length, '');
    try {
      const problem = prepare(module, document);
      return problem === null ? (written(module, document) ?? { problem: unreadable }) : { problem };
    } finally {
      if (document !== 0) module.FPDF_CloseDocument(document);
      free(address);
    }
  } catch (error) {
    discardPdfium();
    if (!isOfFile(error)) throw error;
    return { problem: unreadable };
  }
}

function written(module: Pdfium, document: number): Uint8Array | null {
  const { malloc, free } = module.pdfium.wasmExports;
  readInformation(module, document);
  const writer = module.PDFiumExt_OpenFileWriter();
  try {
    if (!module.PDFiumExt_SaveAsCopy(document, writer)) return null;
    const size = module.PDFiumExt_GetFileWriterSize(writer);
    const copy = malloc(size);
    if (copy === 0) throw new RangeError('The file takes too much memory.');
    module.PDFiumExt_GetFileWriterData(writer, copy, size);
    const read = module.pdfium.HEAPU8.slice(copy, copy + size);
    free(copy);
    return read;
  } finally {
    module.PDFiumExt_CloseFileWriter(writer);
  }
}

/**
 * Reads the title, the dates and all else that the trailer refers to as the document information. PDFium writes the reference always, but
 * objects to which only the trailer refers just if it has read them.
 */
function readInformation(module: Pdfium, document: number): void {
  const { malloc, free } = module.pdfium.wasmExports;
  const count = module.EPDF_GetMetaKeyCount(document, false);
  for (let index = 0; index < count; index++) {
    const size = module.EPDF_GetMetaKeyName(document, index, false, 0, 0);
    const address = malloc(size);
    if (address === 0) throw new RangeError('The file takes too much memory.');
    module.EPDF_GetMetaKeyName(document, index, false, address, size);
    // without the NUL at its end
    const key = Buffer.from(module.pdfium.HEAPU8.subarray(address, address + size - 1)).toString('latin1');
    free(address);
    // an entry can be an object of its own
    module.FPDF_GetMetaText(document, key, 0, 0);
  }
}
