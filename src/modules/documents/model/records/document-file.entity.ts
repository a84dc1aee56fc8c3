import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import { BusinessEntity } from '../../../../kit/index.js';
import { Document } from './document.entity.js';

export const PLACED_KINDS = ['signature', 'initials', 'date', 'text'] as const;

/** Where a party signs or fills something in. Positions are fractions of the page, from its top left corner. */
export interface PlacedField {
  key: string;
  /** Key of the party. */
  party: string;
  kind: (typeof PLACED_KINDS)[number];
  /** Of a text, for the party. */
  label: string | null;
  required: boolean;
  /** Name of the form field that it fills in, whose own value is not printed. */
  form_field?: string | null;
  /** From 1. */
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
}

export const FORM_FIELD_KINDS = ['text', 'checkbox', 'choice', 'list', 'signature', 'button'] as const;

/** A form field (AcroForm) of a file, at one of the places where it stands. Positions are as those of placed fields. */
export interface FormField {
  /** With the names of the groups that contain it, joined by dots. */
  name: string;
  kind: (typeof FORM_FIELD_KINDS)[number];
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
  /** As it is shown; of a checkbox or choice the name of what is selected. Null if there is none. */
  value: string | null;
  /** Of a choice or list. */
  options: string[];
  /** What this place of a checkbox or choice selects. */
  option: string | null;
  required: boolean;
  read_only: boolean;
  max_length: number | null;
}

/** A PDF that a document consists of, instead of the text of its type's template. */
@Entity('document_files')
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'document_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'document_files_document_id_fkey',
  onDelete: 'CASCADE',
})
@Unique('document_files_document_id_key', ['document_id'])
@Check('document_files_mode_check', `mode IN ('live', 'test')`)
@Check('document_files_pdf_check', 'length(pdf) <= 10485760')
export class DocumentFile extends BusinessEntity {
  @Column('uuid')
  document_id: string;

  @Column('bytea')
  pdf: Buffer;

  /** Hexadecimal, of the PDF. */
  @Column('text')
  sha256: string;

  /** The lines of each page, for readers who do not open the PDF. */
  @Column('jsonb')
  page_texts: string[][];

  @Column('jsonb', { default: '[]' })
  fields: PlacedField[];

  @Column('jsonb', { default: '[]' })
  form_fields: FormField[];
}
