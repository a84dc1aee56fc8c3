import type { DomainModuleOptions } from '../../../kit/index.js';
import { OrgDocumentFileController } from './document-files.controller.js';
import { DocumentFiles } from './document-files.service.js';

/** `files/`: PDFs that documents consist of, and the fields that the parties fill in. */
export const FILES = {
  controllers: [OrgDocumentFileController],
  providers: [DocumentFiles],
} satisfies Partial<DomainModuleOptions>;
