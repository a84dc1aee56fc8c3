import type { WrappedPdfiumModule } from '@embedpdf/pdfium';

/** The package's types leave out what Emscripten itself provides. */
export type Pdfium = WrappedPdfiumModule & { pdfium: { HEAPU8: Uint8Array } };
