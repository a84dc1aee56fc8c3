import type { DomainModuleOptions } from '../../../kit/index.js';
import { PagePictures } from './pictures/page-pictures.service.js';
import { DocumentSeal } from './sealing/document-seal.js';
import { SealSettings } from './sealing/seal-settings.js';
import { PdfTypesetter } from './typesetting/pdf-typesetter.js';

/** Makes, seals, stamps and reads files. It knows documents, but no one who does something to them. */
export const ENGINE = {
  providers: [PdfTypesetter, PagePictures, DocumentSeal],
  settings: [SealSettings],
} satisfies Partial<DomainModuleOptions>;
