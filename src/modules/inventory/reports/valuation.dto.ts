import { Field, pickOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { InventoryItemDto } from '../resources/item.dto.js';

export class StockValuationQuery {
  @Field.uuid({
    description: 'The project; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.dateTime({
    description: 'What was recorded up to this time, or up to the end of a day (UTC); now if omitted.',
    endOfDay: true,
    example: '2026-11-21T09:30:00Z',
    required: false,
  })
  as_of?: string;

  @Field.integer({
    description: 'Items per response.',
    example: 100,
    minimum: 1,
    maximum: 1000,
    default: 100,
    required: false,
  })
  limit?: number;

  @Field.string({
    description: 'next_after of the previous response: the items after this SKU.',
    example: 'CHAIR-01',
    maxLength: 64,
    required: false,
  })
  after?: string;
}

/** The value of an item's stock. */
export class ValuedItemDto extends pickOf(InventoryItemDto, ['sku', 'name']) {
  @Field.uuid({
    description: 'The item.',
    example: EXAMPLE.item,
  })
  item_id: string;

  @Field.decimal({
    description: 'On hand and in transit.',
    example: '40',
  })
  quantity: string;

  @Field.amount({
    description: 'Its value, in the minor unit of currency.',
    example: 199960,
  })
  value_amount: number;
}

/** The value of a project's stock. */
export class StockValuationDto {
  @Field.constant('stock_valuation')
  object: string;

  @Field.uuid({
    description: 'The project.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.dateTime({
    description: 'The requested time; null: now.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  as_of: string | null;

  @Field.string({
    description: 'ISO 4217 code of the currency.',
    example: 'EUR',
    maxLength: 3,
  })
  currency: string;

  @Field.amount({
    description: 'Value of all items, including those on other pages, in the minor unit of currency.',
    example: 1200400,
  })
  value_amount: number;

  @Field.object(() => ValuedItemDto, {
    description: 'Items with stock, by SKU.',
    example: undefined,
    list: { maxItems: 1000 },
  })
  items: ValuedItemDto[];

  @Field.boolean({
    description: 'Whether there are further items.',
    example: false,
  })
  has_more: boolean;

  @Field.string({
    description: 'Send it as after to get them; null if there are none.',
    example: null,
    maxLength: 64,
    nullable: true,
  })
  next_after: string | null;
}
