import { Field } from '../../../../kit/index.js';
import { LONGEST_FILE_NAME } from '../../model/types/further-file.dto.js';
import { ReplaceDocumentFileDto } from './document-files.dto.js';

/** The most files of a document, with its own content. */
export const MOST_FILES = 20;

/** A file that is signed with a document. */
export class AddDocumentFileDto extends ReplaceDocumentFileDto {
  @Field.string({
    description: 'Default: that of the file.',
    example: 'Data processing agreement',
    maxLength: LONGEST_FILE_NAME,
    required: false,
  })
  name?: string;

  @Field.uuid({
    description: 'Or all files of a finalized document.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c21',
    required: false,
  })
  from_document_id?: string;

  @Field.uuid({
    description: 'Undoes delete_document_file.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c70',
    required: false,
  })
  removed_file_id?: string;
}
