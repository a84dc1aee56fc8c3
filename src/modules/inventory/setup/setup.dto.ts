import { bothOf, Field, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { InventorySettings } from '../model/inventory-settings.entity.js';

export class UpdateInventorySettingsDto {
  @Field.string({
    description: 'ISO 4217 code; it cannot be changed once the project has an item.',
    example: 'EUR',
    pattern: '^[A-Z]{3}$',
    maxLength: 3,
    required: false,
  })
  currency?: string;
}

/** The inventory's settings of a project. */
export class InventorySettingsDto extends bothOf(
  ResourceDto,
  shownOf(UpdateInventorySettingsDto, { currency: 'ISO 4217 code of the currency of all values.' }),
) {
  @Field.constant('inventory_settings')
  object: string;

  @Field.uuid({
    description: 'The project.',
    example: EXAMPLE.project,
  })
  project_id: string;

  static from(this: void, settings: InventorySettings): InventorySettingsDto {
    return responseOf(InventorySettingsDto, settings);
  }
}
