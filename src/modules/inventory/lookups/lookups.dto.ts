import { Field, Filter, Listing, LookupQuery, ResourceDto } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { StockLocation } from '../model/location.entity.js';
import type { StockReason } from '../model/reason.entity.js';

/** A location of stock. */
export class StockLocationDto extends ResourceDto {
  @Field.constant('stock_location')
  object: string;

  @Field.uuid({
    description: 'Project of the location.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'Short code, unique in the project.',
    example: 'MAIN',
    maxLength: 32,
    isIdentifier: true,
  })
  code: string;

  @Field.string({
    description: 'Name.',
    example: 'Main warehouse',
    maxLength: 100,
  })
  name: string;

  @Field.boolean({
    description: 'Whether reservations that name no location may take stock from here.',
    example: true,
  })
  sellable: boolean;

  @Field.integer({
    description: 'Such reservations try locations in this order.',
    example: 1,
    minimum: 1,
    maximum: 10_000,
  })
  position: number;

  @Field.boolean({
    description: 'Whether stock can enter it and be reserved there.',
    example: true,
  })
  active: boolean;

  static from(this: void, location: StockLocation): StockLocationDto {
    const { id, project_id, code, name, sellable, position, active, version } = location;
    return {
      object: 'stock_location',
      id,
      project_id,
      code,
      name,
      sellable,
      position,
      active,
      version,
      created_at: location.created_at.toISOString(),
      updated_at: location.updated_at.toISOString(),
    };
  }
}

@Listing({
  sort: ['position', 'code'],
  defaultSort: 'position',
})
export class StockLocationsQuery extends LookupQuery {
  @Field.uuid({
    description: 'Only locations of this project.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Filter.boolean({
    description: 'Only active locations, or only others.',
    example: true,
  })
  active?: boolean;
}

/** Why stock moves. */
export class StockReasonDto extends ResourceDto {
  @Field.constant('stock_reason')
  object: string;

  @Field.uuid({
    description: 'Project of the reason.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'Value to send as reason, unique in the project.',
    example: 'damage',
    maxLength: 32,
    isIdentifier: true,
  })
  code: string;

  @Field.string({
    description: 'Name.',
    example: 'Damaged',
    maxLength: 100,
  })
  name: string;

  @Field.boolean({
    description: 'Whether new movements can have it.',
    example: true,
  })
  active: boolean;

  static from(this: void, reason: StockReason): StockReasonDto {
    const { id, project_id, code, name, active, version } = reason;
    return {
      object: 'stock_reason',
      id,
      project_id,
      code,
      name,
      active,
      version,
      created_at: reason.created_at.toISOString(),
      updated_at: reason.updated_at.toISOString(),
    };
  }
}

@Listing({
  sort: ['code'],
  defaultSort: 'code',
})
export class StockReasonsQuery extends LookupQuery {
  @Field.uuid({
    description: 'Only reasons of this project.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Filter.boolean({
    description: 'Only active reasons, or only others.',
    example: true,
  })
  active?: boolean;
}
