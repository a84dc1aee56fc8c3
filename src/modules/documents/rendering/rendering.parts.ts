import type { DomainModuleOptions } from '../../../kit/index.js';
import { ContentController, OrgContentController } from './content.controller.js';
import { Contents } from './contents.service.js';
import { PdfTypesetter } from './typesetting/pdf-typesetter.js';

/**
 * - `rendering/`: what people read of a document.
 * - `content/`: its text as tokens, HTML and plain text.
 * - `pdf/`, `certificate/`: its pages, and the page that says who signed.
 * - `typesetting/`: makes PDFs in a thread of their own.
 */
export const RENDERING = {
  controllers: [ContentController, OrgContentController],
  providers: [Contents, PdfTypesetter],
} satisfies Partial<DomainModuleOptions>;
