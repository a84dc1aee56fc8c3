import { Field, shownOf } from '../../../../kit/index.js';
import type { DocumentTypeFile } from '../../model/types/document-type-file.entity.js';
import type { TypeFile } from '../../model/types/type-file.js';
import { DocumentFileQuery, FormFieldDto, ReplaceTypeFieldsDto } from './document-files.dto.js';

export class TypeFileQuery extends DocumentFileQuery {
  @Field.integer({
    description: 'A published version; the draft if omitted.',
    example: 1,
    minimum: 1,
    required: false,
  })
  version?: number;
}

/** The PDF of a type, with what stands on it. */
export class DocumentTypeFileDto extends shownOf(ReplaceTypeFieldsDto, { fields: 'What the parties fill in.', values: true }) {
  @Field.constant('document_type_file')
  object: string;

  @Field.uuid({
    description: 'The type.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c10',
  })
  type_id: string;

  @Field.integer({
    description: 'Number of pages.',
    example: 3,
    minimum: 1,
  })
  pages: number;

  @Field.string({
    description: 'Hexadecimal SHA-256 of the file.',
    example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  })
  sha256: string;

  @Field.object(() => FormFieldDto, {
    description: 'The form fields of the PDF.',
    example: undefined,
    list: { maxItems: 5_000, repeats: true },
  })
  form_fields: FormFieldDto[];

  static from(this: void, { type_id, form_fields }: DocumentTypeFile, { pages, sha256, fields, values }: TypeFile): DocumentTypeFileDto {
    return { object: 'document_type_file', type_id, pages, sha256, fields, values, form_fields };
  }
}
