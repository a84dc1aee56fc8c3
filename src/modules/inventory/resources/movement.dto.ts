import { ActorDto, ActorField, bothOf, Field, pickOf, plainDecimal, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { MOVEMENT_KINDS, type MovementKind, type StockMovement } from '../model/movement.entity.js';
import { COST_SOURCES, type CostSource } from '../model/statuses.js';
import { OfItemDto } from './of-item.dto.js';
import { CODE_OF_LOCATION, NAME_OF_ITEM, SKU_OF_ITEM } from './names.js';

const RECORDED_KINDS = ['receipt', 'issue', 'count', 'adjust'] as const;

/** A lot, by its code. */
export class MovementLotDto {
  @Field.string({
    summary: true,
    description: 'Code of the lot, or serial number.',
    example: 'L-2026-11',
    maxLength: 64,
    isIdentifier: true,
  })
  code: string;

  @Field.date({
    summary: true,
    description: 'The last day of use; only where the lot enters without having stock.',
    example: '2027-03-31',
    nullable: true,
    required: false,
  })
  expires_on?: string | null;
}

export class RecordStockMovementDto {
  @Field.oneOf(RECORDED_KINDS, {
    description: 'receipt adds, issue removes, count sets the counted quantity, adjust changes by a signed quantity.',
    example: 'receipt',
  })
  kind: Exclude<MovementKind, 'transfer'>;

  @Field.uuid({
    description: 'The item, from list_items.',
    example: EXAMPLE.item,
  })
  item_id: string;

  @Field.uuid({
    description: 'The location, from list_stock_locations.',
    example: EXAMPLE.location,
  })
  location_id: string;

  @Field.decimal({
    description: 'Quantity; for count, the quantity that is there; for adjust, the quantity to add.',
    example: '40',
    sign: 'any',
  })
  quantity: string;

  @Field.string({
    description: 'Unit of quantity: that of the item, or one of its units.',
    example: 'box',
    maxLength: 12,
    required: false,
  })
  unit?: string;

  @Field.object(() => MovementLotDto, {
    description: 'The lot; required where a tracked item enters or is counted. Without it, issues take what expires first.',
    example: { code: 'L-2026-11', expires_on: '2027-03-31' },
    required: false,
  })
  lot?: MovementLotDto;

  @Field.amount({
    description: "Cost of all that enters, in the item's minor unit; that of the present stock if omitted: see cost_source.",
    example: 199960,
    required: false,
  })
  cost_amount?: number;

  @Field.string({
    summary: true,
    description: 'Code of the reason, from list_stock_reasons.',
    example: 'purchase',
    maxLength: 32,
    nullable: true,
    required: false,
  })
  reason?: string | null;

  @Field.string({
    summary: true,
    description: 'What causes it, such as an order number.',
    example: 'PO-77',
    nullable: true,
    required: false,
    isIdentifier: true,
  })
  reference?: string | null;

  @Field.string({
    description: 'Id in your system; a repeat is rejected.',
    example: 'wms-881',
    nullable: true,
    required: false,
    isIdentifier: true,
  })
  external_id?: string | null;

  @Field.dateTime({
    summary: true,
    description: 'When it happened; not in the future. For information only.',
    example: '2026-11-21T09:30:00Z',
    required: false,
  })
  occurred_at?: string;

  @Field.decimal({
    description: 'Reject with stock_changed unless this much is on hand at the location, of the lot if one is sent.',
    example: '38',
    nullable: true,
    required: false,
  })
  expected_on_hand?: string | null;

  @Field.boolean({
    description: 'Shorten the newest reservations if what remains is less than reserved, instead of refusing.',
    example: false,
    default: false,
    required: false,
  })
  release_reservations?: boolean;

  @Field.uuid({
    description: 'Of an issue: the reservation that it consumes.',
    example: EXAMPLE.reservation,
    nullable: true,
    required: false,
  })
  reservation_id?: string | null;
}

/** The part of a movement that one lot has. */
export class LotChangeDto extends pickOf(MovementLotDto, ['code']) {
  @Field.uuid({
    description: 'The lot.',
    example: EXAMPLE.lot,
  })
  lot_id: string;

  @Field.decimal({
    description: 'Change of what is on hand of it.',
    example: '-2',
    sign: 'any',
  })
  change: string;
}

/** A change of stock. Movements are never changed or deleted; a mistake is corrected by another movement. */
export class StockMovementDto extends bothOf(
  OfItemDto,
  shownOf(RecordStockMovementDto, {
    item_id: 'The item.',
    location_id: 'The location.',
    quantity: { description: "The requested quantity, in the item's unit; for a count, the counted quantity.", example: '2' },
    reason: { description: 'Code of the reason.', example: 'sale', summary: 'if_short' },
    reference: { description: 'What caused it, such as an order number.', example: 'SO-1001' },
    external_id: 'Id in your system, unique in the project.',
    occurred_at: 'When it happened; costs follow the order of recording instead.',
    reservation_id: 'The reservation that it consumed.',
  }),
) {
  @Field.constant('stock_movement')
  object: string;

  @Field.string({
    ...SKU_OF_ITEM,
    summary: true,
  })
  sku?: string;

  @Field.string(NAME_OF_ITEM)
  item_name?: string;

  @Field.string({
    ...CODE_OF_LOCATION,
    summary: true,
  })
  location_code?: string;

  @Field.oneOf(MOVEMENT_KINDS, {
    summary: true,
    description: 'What happened.',
    example: 'issue',
  })
  kind: MovementKind;

  @Field.decimal({
    summary: true,
    description: 'Change of what is on hand at the location.',
    example: '-2',
    sign: 'any',
  })
  change: string;

  @Field.decimal({
    description: 'What was on hand at the location afterwards.',
    example: '38',
  })
  on_hand_after: string;

  @Field.integer({
    description: "Change of the item's value, in the minor unit of its currency; 0 for transfers.",
    example: -9998,
    minimum: -Number.MAX_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  })
  cost_amount: number;

  @Field.oneOf(COST_SOURCES, {
    description:
      'Where the cost of what entered comes from: sent with it, the issue that is taken back, the average of the present stock, or none: ' +
      'it entered at 0, because no cost was sent and the present stock has no value. Null if nothing entered.',
    example: null,
    nullable: true,
  })
  cost_source: CostSource | null;

  @Field.object(() => LotChangeDto, {
    description: 'The lots that it changed.',
    example: [],
    list: { maxItems: 1000 },
  })
  lots: LotChangeDto[];

  @Field.uuid({
    description: 'The transfer that it belongs to.',
    example: EXAMPLE.transfer,
    nullable: true,
  })
  transfer_id: string | null;

  @ActorField('Who created it.')
  created_by: ActorDto;

  static from(this: void, movement: StockMovement): StockMovementDto {
    const { quantity, change, on_hand_after } = movement;
    return {
      ...responseOf(StockMovementDto, movement),
      ...movement.names,
      quantity: plainDecimal(quantity),
      change: plainDecimal(change),
      on_hand_after: plainDecimal(on_hand_after),
    };
  }
}
