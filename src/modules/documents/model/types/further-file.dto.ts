import { Field } from '../../../../kit/index.js';

export const LONGEST_FILE_NAME = 200;

/** A file that is signed with the document. */
export class FurtherFileDto {
  @Field.uuid({
    description: 'Id of the file.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c70',
  })
  id: string;

  @Field.string({
    description: 'Name.',
    example: 'Data processing agreement',
  })
  name: string;

  @Field.integer({
    description: 'Number of pages.',
    example: 3,
    minimum: 1,
  })
  pages: number;

  @Field.integer({
    description: 'Bytes, as it was uploaded.',
    example: 81_920,
    minimum: 1,
  })
  bytes: number;

  @Field.string({
    description: 'Hexadecimal SHA-256, as it was uploaded.',
    example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  })
  sha256: string;
}

/** A file in its new place. */
export class ArrangedFileDto {
  @Field.uuid({
    description: 'Id of the file.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c70',
  })
  id: string;

  @Field.string({
    description: 'New name.',
    example: 'Annex A',
    maxLength: LONGEST_FILE_NAME,
    required: false,
  })
  name?: string;
}
