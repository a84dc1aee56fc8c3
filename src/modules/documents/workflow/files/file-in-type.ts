import type { DocumentTypeFile } from '../../model/types/document-type-file.entity.js';
import type { TypeFile } from '../../model/types/type-file.js';

/** A PDF of a type, with its place among its files. */
export interface FileInType {
  id: string;
  position: number;
  name: string;
  row: DocumentTypeFile;
  file: TypeFile;
  dropped_fields?: string[];
}
