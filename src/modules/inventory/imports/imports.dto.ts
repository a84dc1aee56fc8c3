import { Field, ImportResultDto } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';

export class InventoryImportQuery {
  @Field.uuid({
    description: 'Project of the items; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.boolean({
    description: 'Only check the file; write nothing.',
    example: true,
    default: false,
    required: false,
  })
  dry_run?: boolean;
}

/** The result of an import. */
export class InventoryImportDto extends ImportResultDto {
  @Field.constant('inventory_import')
  object: string;
}
