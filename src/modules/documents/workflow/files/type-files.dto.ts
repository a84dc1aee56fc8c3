import { bothOf, Field, partialOf, pickOf, shownOf } from '../../../../kit/index.js';
import { DocumentFileDto, FileFormatQuery, shownFormFields } from './document-files.dto.js';
import type { FileInType } from './file-in-type.js';
import { AddDocumentFileDto } from './further-files.dto.js';
import { ReplaceTypeFieldsDto, shownPlaces } from './placed-fields.dto.js';

export class TypeFileIdQuery {
  @Field.uuid({
    description: 'From files of the type. Default: what its documents consist of.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c70',
    required: false,
  })
  file_id?: string;
}

/** A file that is signed with the documents of a type. */
export class AddTypeFileDto extends partialOf(AddDocumentFileDto, { omit: ['from_document_id'] }) {}

export class TypeFileQuery extends bothOf(FileFormatQuery, TypeFileIdQuery) {
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
  pickOf(DocumentFileDto, ['id', 'position', 'name', 'pages', 'sha256', 'form_fields', 'dropped_fields']),
) {
  @Field.constant('document_type_file')
  object: string;

  @Field.uuid({
    description: 'The type.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c10',
  })
  type_id: string;

  static from(this: void, { row, file, ...place }: FileInType): DocumentTypeFileDto {
    const { type_id, form_fields } = row;
    const { pages, sha256 } = file;
    const placed = { fields: shownPlaces(file.fields), values: shownPlaces(file.values) };
    return { object: 'document_type_file', type_id, ...place, pages, sha256, ...placed, form_fields: shownFormFields(form_fields) };
  }
}
