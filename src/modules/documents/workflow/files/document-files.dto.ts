import { Field, partialOf, pickOf, responseOf, shownOf } from '../../../../kit/index.js';
import { type DocumentFile } from '../../model/records/document-file.entity.js';
import { FORM_FIELD_KINDS, PLACED_KINDS, type EarlierSignature, type FormField, type PlacedField } from '../../model/core/placed-fields.js';

const POSITION = { minimum: 0, maximum: 1 } as const;

/** A place on a page. */
export class PlaceDto {
  @Field.integer({
    description: 'Page, from 1.',
    example: 1,
    minimum: 1,
    maximum: 200,
  })
  page: number;

  @Field.number({
    description: 'Left edge, as a fraction.',
    example: 0.1,
    ...POSITION,
  })
  x: number;

  @Field.number({
    description: 'Top edge, as a fraction.',
    example: 0.8,
    ...POSITION,
  })
  y: number;

  @Field.number({
    description: 'Width, likewise.',
    example: 0.3,
    ...POSITION,
  })
  w: number;

  @Field.number({
    description: 'Height.',
    example: 0.04,
    ...POSITION,
  })
  h: number;
}

/** What a party can choose. */
export class PlacedOptionDto {
  @Field.string({
    description: 'What is stored.',
    example: 'monthly',
    maxLength: 100,
  })
  value: string;

  @Field.string({
    description: 'Default: value.',
    example: 'Every month',
    maxLength: 100,
    required: false,
    nullable: true,
  })
  label?: string | null;

  @Field.object(() => PlaceDto, {
    description: 'Where a choice is marked.',
    example: { page: 1, x: 0.1, y: 0.5, w: 0.02, h: 0.014 },
    required: false,
    nullable: true,
  })
  place?: PlaceDto | null;
}

/** A text in the file at which a field stands. */
export class FieldAnchorDto {
  @Field.string({
    description: 'White space does not count.',
    example: 'Signature of the tenant:',
    maxLength: 200,
  })
  text: string;

  @Field.integer({
    description: 'Which one, from 1.',
    example: 1,
    minimum: 1,
    maximum: 1_000,
    required: false,
    nullable: true,
  })
  occurrence?: number | null;

  @Field.integer({
    description: 'Only on this page.',
    example: 2,
    minimum: 1,
    maximum: 200,
    required: false,
    nullable: true,
  })
  page?: number | null;

  @Field.number({
    description: 'To the right.',
    example: 0.2,
    minimum: -1,
    maximum: 1,
    required: false,
    default: 0,
  })
  dx?: number;

  @Field.number({
    description: 'Down.',
    example: -0.01,
    minimum: -1,
    maximum: 1,
    required: false,
    default: 0,
  })
  dy?: number;
}

/** Where a party signs or fills something in: at page, x, y, w and h; at anchor, with w and h; or at form_field. */
export class PlacedFieldDto extends partialOf(PlaceDto) {
  @Field.string({
    description: 'Unique key.',
    example: 'place',
    pattern: '^[a-z][a-z0-9_]{0,62}$',
    maxLength: 63,
  })
  key: string;

  @Field.string({
    description: 'Key of a party of the type.',
    example: 'customer',
    maxLength: 63,
  })
  party: string;

  @Field.oneOf(PLACED_KINDS, {
    description: 'Required without form_field.',
    example: 'text',
    required: false,
  })
  kind?: PlacedField['kind'];

  @Field.string({
    description: 'Prompt for what is entered.',
    example: 'Place',
    maxLength: 100,
    required: false,
    nullable: true,
  })
  label?: string | null;

  @Field.string({
    description: 'Help for it.',
    example: 'As on your card',
    maxLength: 200,
    required: false,
    nullable: true,
  })
  hint?: string | null;

  @Field.boolean({
    description: 'Default: true, for a checkbox false.',
    example: true,
    required: false,
  })
  required?: boolean;

  @Field.boolean({
    description: 'Unchangeable.',
    example: false,
    required: false,
    default: false,
  })
  read_only?: boolean;

  @Field.string({
    description: 'Such as 1.5, 2026-01-31 or true.',
    example: 'Berlin',
    maxLength: 1_000,
    required: false,
    nullable: true,
  })
  default?: string | null;

  @Field.string({
    description: 'RE2, for a text.',
    example: '^[A-Z]{2}[0-9]{6}$',
    maxLength: 200,
    required: false,
    nullable: true,
  })
  pattern?: string | null;

  @Field.string({
    description: 'Least number or day.',
    example: '0.5',
    maxLength: 40,
    required: false,
    nullable: true,
  })
  min?: string | null;

  @Field.string({
    description: 'Greatest number or day.',
    example: '100',
    maxLength: 40,
    required: false,
    nullable: true,
  })
  max?: string | null;

  @Field.integer({
    description: 'Of a text. Default: 200.',
    example: 80,
    minimum: 1,
    maximum: 1_000,
    required: false,
    nullable: true,
  })
  max_length?: number | null;

  @Field.integer({
    description: 'Of a number.',
    example: 2,
    minimum: 0,
    maximum: 6,
    required: false,
    nullable: true,
  })
  decimals?: number | null;

  @Field.string({
    description: 'Over keys of this or earlier parties: round(rent * 12, 2).',
    example: 'round(rent * 12, 2)',
    maxLength: 1_000,
    required: false,
    nullable: true,
  })
  calculated?: string | null;

  @Field.string({
    description: 'Condition, likewise: pays = "monthly" and not pets.',
    example: 'pays = "monthly" and not pets',
    maxLength: 1_000,
    required: false,
    nullable: true,
  })
  shown_when?: string | null;

  @Field.object(() => PlacedOptionDto, {
    description: 'Of a choice or list.',
    example: [{ value: 'monthly', label: 'Every month' }, { value: 'yearly' }],
    list: { maxItems: 100, repeats: true },
    required: false,
  })
  options?: PlacedOptionDto[];

  @Field.object(() => FieldAnchorDto, {
    description: 'Text at whose top left it stands.',
    example: undefined,
    required: false,
    nullable: true,
  })
  anchor?: FieldAnchorDto | null;

  @Field.string({
    description: 'Form field whose place it takes.',
    example: 'customer.name',
    maxLength: 500,
    required: false,
    nullable: true,
  })
  form_field?: string | null;
}

export class ReplacePlacedFieldsDto {
  @Field.object(() => PlacedFieldDto, {
    description: 'All fields of the document.',
    example: [{ key: 'signature', party: 'customer', kind: 'signature', page: 1, x: 0.1, y: 0.8, w: 0.3, h: 0.06 }],
    list: { maxItems: 200, repeats: true },
  })
  fields: PlacedFieldDto[];
}

/** A form field of the PDF, at one of the places where it stands. */
export class FormFieldDto extends PlaceDto {
  @Field.string({
    description: 'Name in the PDF, with the names of the groups that contain it. A field that stands in several places is listed for each.',
    example: 'customer.name',
    maxLength: 500,
  })
  name: string;

  @Field.oneOf(FORM_FIELD_KINDS, {
    description: 'choice: one button of a group, of which one is selected; list: also a drop-down list; button: one that runs an action.',
    example: 'text',
  })
  kind: FormField['kind'];

  @Field.string({
    description:
      'What the PDF shows there, up to 5,000 characters; of a checkbox or choice the option that is selected. Null if it shows none.',
    example: 'Ada Lovelace',
    maxLength: 5_000,
    nullable: true,
  })
  value: string | null;

  @Field.string({
    description: 'What can be selected in a choice or list.',
    example: ['Monthly', 'Yearly'],
    maxLength: 5_000,
    list: { maxItems: 1_000, repeats: true },
  })
  options: string[];

  @Field.string({
    description: 'What a checkbox or choice selects at this place; null for other kinds.',
    example: null,
    maxLength: 5_000,
    nullable: true,
  })
  option: string | null;

  @Field.boolean({
    description: 'Whether the PDF says that it must be filled in.',
    example: false,
  })
  required: boolean;

  @Field.boolean({
    description: 'Whether the PDF says that nobody fills it in.',
    example: false,
  })
  read_only: boolean;

  @Field.integer({
    description: 'Most characters of a text; null without a limit.',
    example: 40,
    minimum: 1,
    nullable: true,
  })
  max_length: number | null;
}

/** Where a value of data_values is printed, at finalization, as the party sees it. */
export class PlacedValueDto extends pickOf(PlacedFieldDto, ['page', 'x', 'y', 'w', 'h', 'anchor', 'form_field']) {
  @Field.string({
    description: 'Path of the field in the field_schema; true prints a tick.',
    example: 'customer_name',
    maxLength: 255,
  })
  data_field: string;
}

/** What stands on the PDF of a type. */
export class ReplaceTypeFieldsDto extends ReplacePlacedFieldsDto {
  @Field.object(() => PlacedValueDto, {
    description: 'Where values of the documents are printed.',
    example: [{ data_field: 'customer_name', page: 1, x: 0.1, y: 0.2, w: 0.4, h: 0.03 }],
    list: { maxItems: 500, repeats: true },
    required: false,
    default: [],
  })
  values?: PlacedValueDto[];
}

/** Where the PDF comes from. As a form or as application/pdf, the file itself is sent instead. */
export class ReplaceDocumentFileDto {
  @Field.string({
    description: 'Address from which the PDF is downloaded.',
    example: 'https://files.example.com/lease.pdf',
    maxLength: 2_000,
    required: false,
  })
  url?: string;

  @Field.string({
    description: 'The PDF in Base64, up to 700 KB.',
    example: 'JVBERi0xLjcK',
    maxLength: 1_000_000,
    required: false,
  })
  content_base64?: string;
}

export class DocumentFileQuery {
  @Field.oneOf(['json', 'pdf'], {
    description: 'json: the fields; pdf: the file as it was uploaded.',
    example: 'json',
    required: false,
    default: 'json',
  })
  format?: 'json' | 'pdf';
}

/** A digital signature that the PDF had when it was uploaded. Whether its certificate is trusted is not checked. */
export class EarlierSignatureDto {
  @Field.string({
    description: 'The name in its certificate, or else the one that the PDF states; empty if there is none.',
    example: 'Ada Lovelace',
    maxLength: 200,
  })
  signer: string;

  @Field.dateTime({
    description: 'When it was made, as the signer or the time-stamp authority states it; null if nobody does.',
    example: '2026-02-11T10:00:00.000Z',
    nullable: true,
  })
  signed_at: string | null;

  @Field.oneOf(['signature', 'time_stamp'], {
    description: 'time_stamp: of an authority, over the whole PDF.',
    example: 'signature',
  })
  kind: EarlierSignature['kind'];

  @Field.boolean({
    description: 'Whether what it covers is unchanged; null if its method is not known.',
    example: true,
    nullable: true,
  })
  is_intact: boolean | null;

  @Field.boolean({
    description: 'Whether it covers the whole PDF as it was uploaded, or only a part that was changed later.',
    example: true,
  })
  covers_file: boolean;
}

/** The PDF of a document, with its fields. */
export class DocumentFileDto extends shownOf(ReplacePlacedFieldsDto, { fields: 'What the parties fill in.' }) {
  @Field.constant('document_file')
  object: string;

  @Field.uuid({
    description: 'The document.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20',
  })
  document_id: string;

  @Field.integer({
    description: 'Number of pages.',
    example: 3,
    minimum: 1,
  })
  pages: number;

  @Field.string({
    description: 'Hexadecimal SHA-256 of the file as it is stored: an encrypted one is stored without its encryption.',
    example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  })
  sha256: string;

  @Field.object(() => FormFieldDto, {
    description: 'The form fields of the PDF, as they were when it was uploaded.',
    example: undefined,
    list: { maxItems: 5_000, repeats: true },
  })
  form_fields: FormFieldDto[];

  @Field.object(() => EarlierSignatureDto, {
    description: 'Digital signatures that the PDF had when it was uploaded, in their order. They stay valid.',
    example: undefined,
    list: { maxItems: 100, repeats: true },
  })
  earlier_signatures: EarlierSignatureDto[];

  static from(this: void, file: DocumentFile): DocumentFileDto {
    return { ...responseOf(DocumentFileDto, file), pages: file.page_texts.length };
  }
}
