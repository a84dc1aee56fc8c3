export const PLACED_KINDS = [
  'signature',
  'initials',
  'date',
  'text',
  'number',
  'email',
  'entered_date',
  'checkbox',
  'choice',
  'list',
] as const;
export type PlacedKind = (typeof PLACED_KINDS)[number];

/** Positions are fractions of the page, from its top left corner. */
export interface Place {
  /** From 1. */
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
}

export const FORM_FIELD_KINDS = ['text', 'checkbox', 'choice', 'list', 'signature', 'button'] as const;

/** A form field (AcroForm) of a file, at one of the places where it stands. Positions are as those of placed fields. */
export interface FormField extends Place {
  /** With the names of the groups that contain it, joined by dots. */
  name: string;
  kind: (typeof FORM_FIELD_KINDS)[number];
  /** As it is shown; of a checkbox or choice the name of what is selected. Null if there is none. */
  value: string | null;
  /** Of a choice or list. */
  options: string[];
  /** What this place of a checkbox or choice selects. */
  option: string | null;
  required: boolean;
  read_only: boolean;
  max_length: number | null;
  /** Of a text; absent from files that were uploaded before it was read. */
  multiline?: boolean;
  /** Width of its frame, in points; absent from files that were uploaded before it was read. */
  frame?: number;
  /** Of a text whose characters stand in cells of the same width (a comb). */
  cells?: number;
}

/** A text in the file. */
export interface FieldAnchor {
  text: string;
  /** Which of its places, from 1; null if it stands in one place only. */
  occurrence: number | null;
  /** The page to which the search is restricted. */
  page: number | null;
  /** From the top left corner of the text to that of the field, as fractions of the page. */
  dx: number;
  dy: number;
}

/** What a party can choose. */
export interface PlacedOption {
  value: string;
  /** For the party; the value if it is null. */
  label: string | null;
  /** Where the choice is marked; null if the label is printed in the box of the field. */
  place: Place | null;
}

/** What a party can enter into a field; absent from fields without rules. */
export interface PlacedRules {
  /** Below the prompt. */
  hint: string | null;
  /** Whether the party cannot change the value. */
  read_only: boolean;
  /** In the form in which values are stored. */
  default: string | null;
  /** RE2. */
  pattern: string | null;
  /** Of a number or a day, in the form in which values are stored. */
  min: string | null;
  max: string | null;
  max_length: number | null;
  /** Of a number. */
  decimals: number | null;
  /** An expression over other fields, whose value the field has. */
  calculated: string | null;
  /** A condition over other fields; without it, the field is always there. */
  shown_when: string | null;
  options: PlacedOption[];
}

/** Where a party signs or fills something in. */
export interface PlacedField extends Place, Partial<PlacedRules> {
  key: string;
  /** Key of the party. */
  party: string;
  kind: PlacedKind;
  /** Of what the party enters, for the party. */
  label: string | null;
  required: boolean;
  /** The text at which it stands; the position is where it was found. */
  anchor?: FieldAnchor | null;
  /** Name of the form field that it fills in, whose own value is not printed. */
  form_field?: string | null;
  /** Whether a text keeps its line breaks, as that form field does. */
  multiline?: boolean;
  /** Width of the frame of that form field, in points. */
  frame?: number;
  /** Cells of that form field, each for a character. */
  cells?: number;
}

/** A field on one of the files of a document. */
export interface FieldInFile extends PlacedField {
  /** Position of the file, from 1. */
  position: number;
}

/** What a field has of its form field, beside its rules. */
export type FormLook = 'multiline' | 'frame' | 'cells';

/** Where a value of the document is printed. */
export interface PlacedValue extends Place, Required<Pick<PlacedField, 'anchor' | 'form_field'>>, Pick<PlacedField, FormLook> {
  /** Path of the field in the type's schema. */
  data_field: string;
}

/** A digital signature that a file had when it was uploaded. */
export interface EarlierSignature {
  /** The name in its certificate, or else the one that the file states. */
  signer: string;
  /** RFC 3339, as the signer or the time-stamp authority states it; null if nobody does. */
  signed_at: string | null;
  kind: 'signature' | 'time_stamp';
  /** Whether what it covers is unchanged; null if its method is not known. Whether its certificate is trusted is not checked. */
  is_intact: boolean | null;
  /** Whether it covers all of the file, or only what the file was before later changes. */
  covers_file: boolean;
  /** What may be added to the file without breaking its signatures. */
  permits?: 'form_fields' | 'annotations';
}
