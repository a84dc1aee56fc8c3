import { Field } from '../../../../kit/index.js';

const FILE = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c70';

/** Which of the files of a document is meant. */
export class FileIdQuery {
  @Field.uuid({
    description: 'One of its files. Default: its content.',
    example: FILE,
    required: false,
  })
  file_id?: string;
}

/** The place of a file in its document. */
export class FilePlaceDto {
  @Field.uuid({
    description: "Id of the file; that of the document for the document's own content.",
    example: FILE,
  })
  id: string;

  @Field.integer({
    description: 'From 1.',
    example: 2,
    minimum: 1,
  })
  position: number;

  @Field.string({
    description: "Name; the title for the document's own content.",
    example: 'Data processing agreement',
  })
  name: string;
}
