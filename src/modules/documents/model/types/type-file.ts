import type { PlacedField, PlacedValue } from '../core/placed-fields.js';

/** The PDF of a type or of one of its versions, with what stands on it. */
export interface TypeFile {
  /** Of the DocumentTypeFile. */
  id: string;
  sha256: string;
  pages: number;
  fields: PlacedField[];
  values: PlacedValue[];
}

/** A file that is signed with the documents of a type, after their own content. */
export interface FurtherTypeFile {
  /** Stays when the PDF is replaced. */
  id: string;
  name: string;
  bytes: number;
  file: TypeFile;
}

/** The files of a type or of one of its versions, in their order. */
export interface FilesOfType {
  /** What documents consist of; null for the text of the template. */
  file: TypeFile | null;
  files: FurtherTypeFile[];
}

/** All that were uploaded, with what the paths of errors call them. */
export function uploadedFiles({ file, files }: FilesOfType): { at: string; id: string | null; file: TypeFile }[] {
  return [
    ...(file ? [{ at: 'file', id: null, file }] : []),
    ...files.map((further, index) => ({ at: `files.${index}`, id: further.id, file: further.file })),
  ];
}
