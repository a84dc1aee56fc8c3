import { Field, ResourceDto, responseOf } from '../../kit/index.js';
import type { TestDataErasure } from './test-data-erasure.entity.js';

/** The request body to erase test data. */
export class EraseTestDataDto {
  @Field.string({
    description: 'Name of the organization, to confirm what is erased.',
    example: 'Acme GmbH',
  })
  organization_name: string;
}

/** A job that erases test data. */
export class TestDataErasureDto extends ResourceDto {
  @Field.constant('test_data_erasure')
  object: string;

  @Field.oneOf(['running', 'done', 'failed'], {
    description: 'done: no test data was left; failed: some stayed, because it was in use for a long time. Erase again then.',
    example: 'running',
  })
  status: string;

  @Field.integer({
    description: 'Test rows when it began.',
    example: 15,
    minimum: 0,
  })
  total: number;

  @Field.integer({
    description: 'Rows that were deleted so far.',
    example: 12,
    minimum: 0,
  })
  deleted_count: number;

  @Field.map({
    description: 'Rows that were deleted so far, by module.',
    example: { notes: 12 },
  })
  deleted: Record<string, number>;

  @Field.uuid({
    description: 'The member who asked for it.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a62',
    nullable: true,
  })
  requested_by: string | null;

  @Field.dateTime({
    description: 'When it ended, UTC.',
    example: null,
    nullable: true,
  })
  finished_at: string | null;

  static from(this: void, row: TestDataErasure): TestDataErasureDto {
    return { ...responseOf(TestDataErasureDto, row), deleted_count: Object.values(row.deleted).reduce((sum, rows) => sum + rows, 0) };
  }
}

export class ModuleTestDataDto {
  @Field.string({
    description: 'Name of the module.',
    example: 'notes',
  })
  module: string;

  @Field.integer({
    description: 'Its rows of test mode.',
    example: 12,
    minimum: 0,
  })
  rows: number;
}

/** What erasing would delete. Configuration, such as types and statuses, is shared with live mode and stays. */
export class TestDataDto {
  @Field.constant('test_data')
  object: string;

  @Field.integer({
    description: 'Rows of test mode.',
    example: 12,
    minimum: 0,
  })
  total: number;

  @Field.object(() => ModuleTestDataDto, {
    description: 'The rows by module.',
    example: undefined,
    list: { maxItems: 100 },
  })
  by_module: ModuleTestDataDto[];

  @Field.object(() => TestDataErasureDto, {
    description: 'The last erasure; null if there was none.',
    example: undefined,
    nullable: true,
  })
  last_erasure: TestDataErasureDto | null;
}
