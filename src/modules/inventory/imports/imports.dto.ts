import { Field, ImportResultDto } from '../../../kit/index.js';

/** The result of an import. */
export class InventoryImportDto extends ImportResultDto {
  @Field.constant('inventory_import')
  object: string;
}
