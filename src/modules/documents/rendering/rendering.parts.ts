import type { DomainModuleOptions } from '../../../kit/index.js';
import { ContentController, OrgContentController } from './content.controller.js';
import { Contents } from './contents.service.js';
import { Letterheads } from './letterheads.service.js';
import { DocumentSeal } from './sealing/document-seal.js';
import { SealSettings } from './sealing/seal-settings.js';
import { PdfTypesetter } from './typesetting/pdf-typesetter.js';

/**
 * - `rendering/`: the readable forms of a document.
 * - `content/`: its text as tokens, HTML and plain text.
 * - `pdf/`, `certificate/`: its pages and the certificate of its signatures, as data for the templates.
 * - `typst/`: the templates, the fonts, and the compiler that makes pages of them.
 * - `stamping/`: the values and signatures of parties on the pages of a file.
 * - `tags/`: the structure tags of a file, for screen readers.
 * - `sealing/`: the digital seal of executed files, with its time stamp.
 * - `typesetting/`: makes PDFs in worker threads.
 */
export const RENDERING = {
  controllers: [ContentController, OrgContentController],
  providers: [Contents, Letterheads, PdfTypesetter, DocumentSeal],
  settings: [SealSettings],
} satisfies Partial<DomainModuleOptions>;
