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
