import { Field } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';

export class InventoryImportQuery {
  @Field.uuid({ description: 'Project of the items; the default project if omitted.', example: EXAMPLE.project, required: false })
  project_id?: string;

  @Field.boolean({ description: 'Only check the file; write nothing.', example: true, default: false, required: false })
  dry_run?: boolean;
}

/** What is wrong with a row. */
export class ImportRowErrorDto {
  @Field.integer({ description: 'The row, from 1, without the headings.', example: 3, minimum: 1 })
  row: number;

  @Field.string({ description: 'Error code.', example: 'duplicate' })
  code: string;

  @Field.string({ description: 'The column, if it is one.', example: 'external_id', nullable: true })
  param: string | null;

  @Field.string({ description: 'What went wrong.', example: 'external_id erp-4711 exists already', maxLength: 2000 })
  message: string;
}

/** The result of an import. */
export class InventoryImportDto {
  @Field.constant('inventory_import')
  object: string;

  @Field.boolean({ description: 'Whether the file was only checked.', example: false })
  dry_run: boolean;

  @Field.integer({ description: 'Number of rows.', example: 120, minimum: 0 })
  rows: number;

  @Field.integer({ description: 'Rows that were imported, or would be.', example: 118, minimum: 0 })
  imported: number;

  @Field.integer({ description: 'Rows with errors; they changed nothing.', example: 2, minimum: 0 })
  failed: number;

  @Field.object(() => ImportRowErrorDto, {
    description: 'The first errors, by row.',
    example: [],
    list: { maxItems: 1000, repeats: true },
  })
  errors: ImportRowErrorDto[];

  @Field.string({ description: 'Columns that are no field.', example: [], list: { maxItems: 500, repeats: true } })
  ignored_columns: string[];
}
