import { ActiveLookupQuery, bothOf, Field, Listing, partialOf, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { StockLocation } from '../model/location.entity.js';
import type { StockReason } from '../model/reason.entity.js';

export class CreateStockLocationDto {
  @Field.uuid({
    description: 'Project of the location; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.string({
    summary: true,
    description: 'Short code, unique in the project.',
    example: 'SHOP',
    maxLength: 32,
    isIdentifier: true,
  })
  code: string;

  @Field.string({
    summary: true,
    description: 'Name.',
    example: 'Shop',
    maxLength: 100,
  })
  name: string;

  @Field.boolean({
    summary: true,
    description: 'Whether reservations that name no location may take stock from here.',
    example: true,
    default: true,
    required: false,
  })
  sellable?: boolean;

  @Field.integer({
    description: 'Such reservations try locations in this order.',
    onCreate: 'The last one if omitted.',
    example: 2,
    minimum: 1,
    maximum: 10_000,
    required: false,
  })
  position?: number;

  @Field.boolean({
    summary: true,
    description: 'Whether stock can enter it and be reserved there.',
    example: true,
    default: true,
    required: false,
  })
  active?: boolean;
}

export class UpdateStockLocationDto extends partialOf(CreateStockLocationDto, { omit: ['project_id'] }) {}

/** A location of stock. */
export class StockLocationDto extends bothOf(
  ResourceDto,
  shownOf(CreateStockLocationDto, {
    project_id: 'Project of the location.',
    code: true,
    name: true,
    sellable: true,
    position: true,
    active: true,
  }),
) {
  @Field.constant('stock_location')
  object: string;

  static from(this: void, location: StockLocation): StockLocationDto {
    return responseOf(StockLocationDto, location);
  }
}

@Listing({
  sort: ['position', 'code'],
  defaultSort: 'position',
})
export class StockLocationsQuery extends ActiveLookupQuery {}

export class CreateStockReasonDto {
  @Field.uuid({
    description: 'Project of the reason; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.string({
    summary: true,
    description: 'Code, unique in the project; it cannot be changed later.',
    example: 'theft',
    pattern: '^[a-z][a-z0-9_]{0,31}$',
    maxLength: 32,
  })
  code: string;

  @Field.string({
    summary: true,
    description: 'Name.',
    example: 'Theft',
    maxLength: 100,
  })
  name: string;

  @Field.boolean({
    summary: true,
    description: 'Whether new movements can have it.',
    example: true,
    default: true,
    required: false,
  })
  active?: boolean;
}

export class UpdateStockReasonDto extends partialOf(CreateStockReasonDto, { omit: ['project_id', 'code'] }) {}

/** Why stock moves. */
export class StockReasonDto extends bothOf(
  ResourceDto,
  shownOf(CreateStockReasonDto, {
    project_id: 'Project of the reason.',
    code: 'Value to send as reason, unique in the project.',
    name: true,
    active: true,
  }),
) {
  @Field.constant('stock_reason')
  object: string;

  static from(this: void, reason: StockReason): StockReasonDto {
    return responseOf(StockReasonDto, reason);
  }
}

@Listing({
  sort: ['code'],
  defaultSort: 'code',
})
export class StockReasonsQuery extends ActiveLookupQuery {}
