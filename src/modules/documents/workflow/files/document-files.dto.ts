import { bothOf, Field, responseOf, shownOf } from '../../../../kit/index.js';
import { type DocumentFile } from '../../model/records/document-file.entity.js';
import { FORM_FIELD_KINDS, type EarlierSignature, type FormField } from '../../model/core/placed-fields.js';
import { FileIdQuery, FilePlaceDto } from './file-place.dto.js';
import { ReplacePlacedFieldsDto, shownPlaces } from './placed-fields.dto.js';
import { PlaceDto } from './places.dto.js';

/** A file with its place in its document. */
export interface FileInDocument {
  id: string;
  position: number;
  name: string;
  file: DocumentFile;
  dropped_fields?: string[];
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

  @Field.boolean({
    description: 'Whether a text has several lines; a field for a party then keeps line breaks.',
    example: false,
    required: false,
  })
  multiline?: boolean;
}

/** Without what matters only to printing. */
export function shownFormFields(list: readonly FormField[]): FormFieldDto[] {
  return list.map(({ frame: _, cells: __, ...field }) => field);
}

const URL = { example: 'https://files.example.com/lease.pdf', maxLength: 2_000, required: false } as const;
const BASE64 = { example: 'JVBERi0xLjcK', maxLength: 1_000_000, required: false } as const;

/** Where the PDF comes from. As a form or as application/pdf, the file itself is sent instead. */
export class ReplaceDocumentFileDto {
  @Field.string({
    ...URL,
    description: 'Address of the PDF.',
  })
  file_url?: string;

  @Field.string({
    ...BASE64,
    description: 'Base64, up to 700 KB.',
  })
  file_base64?: string;

  @Field.string({
    ...URL,
    description: 'Old name of file_url.',
    deprecated: true,
  })
  url?: string;

  @Field.string({
    ...BASE64,
    description: 'Old name of file_base64.',
    deprecated: true,
  })
  content_base64?: string;
}

export class FileFormatQuery {
  @Field.oneOf(['json', 'pdf'], {
    description: 'pdf: the file as it was uploaded.',
    example: 'json',
    required: false,
    default: 'json',
  })
  format?: 'json' | 'pdf';
}

export class DocumentFileQuery extends bothOf(FileFormatQuery, FileIdQuery) {}

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

  @Field.oneOf(['form_fields', 'annotations'], {
    description: 'What may be added to the PDF: with form_fields, each field for a party needs form_field.',
    example: 'annotations',
    required: false,
  })
  permits?: EarlierSignature['permits'];
}

/** The PDF of a document, with its fields. */
export class DocumentFileDto extends bothOf(FilePlaceDto, shownOf(ReplacePlacedFieldsDto, { fields: 'What the parties fill in.' })) {
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

  @Field.string({
    description:
      'After a replacement: the keys of the fields that the new PDF has no place for, because it lacks their page, text or form field.',
    example: ['initials_page_9'],
    maxLength: 255,
    list: { maxItems: 1_000 },
    required: false,
  })
  dropped_fields?: string[];

  static from(this: void, { file, ...place }: FileInDocument): DocumentFileDto {
    const shown = responseOf(DocumentFileDto, { ...file, ...place });
    return { ...shown, fields: shownPlaces(file.fields), form_fields: shownFormFields(file.form_fields), pages: file.page_texts.length };
  }
}
