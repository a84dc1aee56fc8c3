import { Field } from '../../kit/index.js';

/** The request body to erase test data. */
export class EraseTestDataDto {
  @Field.string({ description: 'Name of the organization, to confirm what is erased.', example: 'Acme GmbH' })
  organization_name: string;
}

/** What was erased. */
export class TestDataErasureDto {
  @Field.constant('test_data_erasure')
  object: string;

  @Field.boolean({ description: 'Whether no test data was left. If false, the time was up: send the request again.', example: true })
  complete: boolean;

  @Field.map({
    description: 'Number of deleted rows by table, not counting those that were deleted together with others.',
    example: { tasks: 12, documents: 3 },
  })
  deleted: Record<string, number>;
}
