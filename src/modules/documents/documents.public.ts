// What other modules may use of this one: its main records, for @BeforeWrite.
export { DocumentsModule } from './documents.module.js';
export { Document } from './model/records/document.entity.js';
