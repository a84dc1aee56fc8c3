import { bothOf, Field, pickOf, shownOf } from '../../../../kit/index.js';
import type { DocumentTypeFile } from '../../model/types/document-type-file.entity.js';
import type { TypeFile } from '../../model/types/type-file.js';
import { DocumentFileDto, FileFormatQuery } from './document-files.dto.js';
import { ReplaceTypeFieldsDto } from './placed-fields.dto.js';

export class TypeFileQuery extends FileFormatQuery {
  @Field.integer({
    description: 'A published version; the draft if omitted.',
    example: 1,
    minimum: 1,
    required: false,
  })
  version?: number;
}

/** The PDF of a type, with what stands on it. */
export class DocumentTypeFileDto extends bothOf(
  shownOf(ReplaceTypeFieldsDto, { fields: 'What the parties fill in.', values: true }),
  pickOf(DocumentFileDto, ['pages', 'sha256', 'form_fields']),
) {
  @Field.constant('document_type_file')
  object: string;

  @Field.uuid({
    description: 'The type.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c10',
  })
  type_id: string;

  static from(this: void, { type_id, form_fields }: DocumentTypeFile, { pages, sha256, fields, values }: TypeFile): DocumentTypeFileDto {
    return { object: 'document_type_file', type_id, pages, sha256, fields, values, form_fields };
  }
}
