import { Field } from '../../../../kit/index.js';
import { ReplaceDocumentFileDto } from './document-files.dto.js';

/** The most files of a document, with its own content. */
export const MOST_FILES = 20;
export const LONGEST_FILE_NAME = 200;

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
    description: 'Instead: a finalized document, with its places to sign.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c21',
    required: false,
  })
  from_document_id?: string;
}
