import { Field, plainDecimal, responseOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { decimalOf, quantityOf } from '../model/quantities.js';
import type { StockLevel } from '../model/stock-level.entity.js';
import { OfItemDto } from './of-item.dto.js';

/** The stock of an item at a location. Quantities are in the item's unit. */
export class StockLevelDto extends OfItemDto {
  @Field.constant('stock_level')
  object: string;

  @Field.string({
    summary: true,
    description: 'SKU of the item. In lists.',
    example: 'CHAIR-01',
    required: false,
  })
  sku?: string;

  @Field.string({
    summary: true,
    description: 'Name of the item. In lists.',
    example: 'Office chair',
    required: false,
  })
  item_name?: string;

  @Field.uuid({
    description: 'The location.',
    example: EXAMPLE.location,
  })
  location_id: string;

  @Field.string({
    summary: true,
    description: 'Code of the location. In lists.',
    example: 'MAIN',
    required: false,
  })
  location_code?: string;

  @Field.decimal({
    summary: true,
    description: 'What is there.',
    example: '40',
  })
  on_hand: string;

  @Field.decimal({
    description: 'The part that is kept for reservations.',
    example: '12',
  })
  reserved: string;

  @Field.decimal({
    description: 'The part that has expired: it cannot be reserved.',
    example: '0',
  })
  held: string;

  @Field.decimal({
    summary: true,
    description: 'What can be reserved or issued: on_hand - reserved - held.',
    example: '28',
  })
  available: string;

  static from(this: void, level: StockLevel): StockLevelDto {
    const { on_hand, reserved, held } = level;
    return {
      ...responseOf(StockLevelDto, level),
      ...level.names,
      on_hand: plainDecimal(on_hand),
      reserved: plainDecimal(reserved),
      held: plainDecimal(held),
      available: decimalOf(quantityOf(on_hand) - quantityOf(reserved) - quantityOf(held)),
    };
  }
}
