import { bothOf, Field, Filter, Listing, plainDecimal, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { StockLotLevel } from '../model/lot-level.entity.js';
import type { StockLot } from '../model/lot.entity.js';
import { OfItemDto, OfItemsQuery } from '../resources/of-item.dto.js';
import { MovementLotDto } from '../resources/movement.dto.js';
import { NAME_OF_ITEM, SKU_OF_ITEM } from '../resources/names.js';

@Listing({
  sort: ['created_at', 'updated_at'],
  defaultSort: 'created_at',
})
export class StockLevelsQuery extends OfItemsQuery {
  @Filter.uuid({
    description: 'Only at these locations.',
    example: [EXAMPLE.location],
  })
  location_id?: string[];
}

/** The quantity of a lot at a location. */
export class LotQuantityDto {
  @Field.uuid({
    description: 'The location.',
    example: EXAMPLE.location,
  })
  location_id: string;

  @Field.decimal({
    description: 'What is there.',
    example: '8',
  })
  quantity: string;
}

/** A batch of an item, or a single piece with its serial number. */
export class StockLotDto extends bothOf(
  OfItemDto,
  shownOf(MovementLotDto, { code: 'Code of the lot, or serial number; unique for the item.', expires_on: 'The last day of use.' }),
) {
  @Field.constant('stock_lot')
  object: string;

  @Field.string({
    ...SKU_OF_ITEM,
    summary: true,
  })
  sku?: string;

  @Field.string({
    ...NAME_OF_ITEM,
    summary: true,
  })
  item_name?: string;

  @Field.boolean({
    description: 'Whether its stock is held because it has expired.',
    example: false,
  })
  expired: boolean;

  @Field.decimal({
    summary: true,
    description: 'On hand, over all locations.',
    example: '8',
  })
  on_hand: string;

  @Field.decimal({
    description: 'In transit between locations.',
    example: '0',
  })
  in_transit: string;

  @Field.object(() => LotQuantityDto, {
    description: 'Where it lies.',
    example: [],
    list: { maxItems: 100 },
  })
  quantities: LotQuantityDto[];

  static from(this: void, lot: StockLot, levels: readonly StockLotLevel[]): StockLotDto {
    return {
      ...responseOf(StockLotDto, lot),
      ...lot.names,
      on_hand: plainDecimal(lot.on_hand),
      in_transit: plainDecimal(lot.in_transit),
      quantities: levels.map(({ location_id, quantity }) => ({ location_id, quantity: plainDecimal(quantity) })),
    };
  }
}

@Listing({
  sort: ['created_at', 'expires_on'],
  defaultSort: 'created_at',
})
export class StockLotsQuery extends OfItemsQuery {
  @Filter.custom({
    kind: 'uuid',
    description: 'Only lots with stock at one of these locations.',
    example: [EXAMPLE.location],
    list: { maxItems: 50 },
  })
  location_id?: string[];

  @Filter.string({
    description: 'Only these codes or serial numbers.',
    example: ['L-2026-11'],
  })
  code?: string[];

  @Filter.before('date', {
    description: 'Only lots that expire before this day.',
    example: '2027-01-01',
    column: 'expires_on',
  })
  expires_before?: string;
}
