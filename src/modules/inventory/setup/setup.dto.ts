import { Field, partialOf, ResourceDto } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { InventorySettings } from '../model/inventory-settings.entity.js';

export class CreateStockLocationDto {
  @Field.uuid({
    description: 'Project of the location; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.string({
    description: 'Short code, unique in the project.',
    example: 'SHOP',
    maxLength: 32,
    isIdentifier: true,
  })
  code: string;

  @Field.string({
    description: 'Name.',
    example: 'Shop',
    maxLength: 100,
  })
  name: string;

  @Field.boolean({
    description: 'Whether reservations that name no location may take stock from here.',
    example: true,
    default: true,
    required: false,
  })
  sellable?: boolean;

  @Field.integer({
    description: 'Such reservations try locations in this order; the last one if omitted.',
    example: 2,
    minimum: 1,
    maximum: 10_000,
    required: false,
  })
  position?: number;

  @Field.boolean({
    description: 'Whether stock can enter it and be reserved there.',
    example: true,
    default: true,
    required: false,
  })
  active?: boolean;
}

export class UpdateStockLocationDto extends partialOf(CreateStockLocationDto, { omit: ['project_id'] }) {}

export class CreateStockReasonDto {
  @Field.uuid({
    description: 'Project of the reason; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.string({
    description: 'Code, unique in the project; it cannot be changed later.',
    example: 'theft',
    pattern: '^[a-z][a-z0-9_]{0,31}$',
    maxLength: 32,
  })
  code: string;

  @Field.string({
    description: 'Name.',
    example: 'Theft',
    maxLength: 100,
  })
  name: string;

  @Field.boolean({
    description: 'Whether new movements can have it.',
    example: true,
    default: true,
    required: false,
  })
  active?: boolean;
}

export class UpdateStockReasonDto extends partialOf(CreateStockReasonDto, { omit: ['project_id', 'code'] }) {}

/** The inventory's settings of a project. */
export class InventorySettingsDto extends ResourceDto {
  @Field.constant('inventory_settings')
  object: string;

  @Field.uuid({
    description: 'The project.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'ISO 4217 code of the currency of all values.',
    example: 'EUR',
    pattern: '^[A-Z]{3}$',
    maxLength: 3,
  })
  currency: string;

  static from(this: void, { id, project_id, currency, version, created_at, updated_at }: InventorySettings): InventorySettingsDto {
    return {
      object: 'inventory_settings',
      id,
      project_id,
      currency,
      version,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    };
  }
}

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
