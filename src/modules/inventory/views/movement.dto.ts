import { ActorDto, Field, plainDecimal, ResourceDto } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { MOVEMENT_KINDS, type MovementKind, type StockMovement } from '../model/movement.entity.js';
import { COST_SOURCES, type CostSource } from '../model/statuses.js';

/** The part of a movement that one lot has. */
export class LotChangeDto {
  @Field.uuid({
    description: 'The lot.',
    example: EXAMPLE.lot,
  })
  lot_id: string;

  @Field.string({
    description: 'Code of the lot, or serial number.',
    example: 'L-2026-11',
    maxLength: 64,
    isIdentifier: true,
  })
  code: string;

  @Field.decimal({
    description: 'Change of what is on hand of it.',
    example: '-2',
    sign: 'any',
  })
  change: string;
}

/** A change of stock. Movements are never changed or deleted; a mistake is corrected by another movement. */
export class StockMovementDto extends ResourceDto {
  @Field.constant('stock_movement')
  object: string;

  @Field.uuid({
    description: 'Project of the item.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.oneOf(MOVEMENT_KINDS, {
    description: 'What happened.',
    example: 'issue',
  })
  kind: MovementKind;

  @Field.uuid({
    description: 'The item.',
    example: EXAMPLE.item,
  })
  item_id: string;

  @Field.uuid({
    description: 'The location.',
    example: EXAMPLE.location,
  })
  location_id: string;

  @Field.decimal({
    description: "The requested quantity, in the item's unit; of a count what was there.",
    example: '2',
    sign: 'any',
  })
  quantity: string;

  @Field.decimal({
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

  @Field.string({
    description: 'Code of the reason.',
    example: 'sale',
    maxLength: 32,
    nullable: true,
  })
  reason: string | null;

  @Field.string({
    description: 'What caused it, such as an order number.',
    example: 'SO-1001',
    nullable: true,
    isIdentifier: true,
  })
  reference: string | null;

  @Field.string({
    description: 'Id in your system, unique in the project.',
    example: 'wms-881',
    nullable: true,
    isIdentifier: true,
  })
  external_id: string | null;

  @Field.dateTime({
    description: 'When it happened; costs follow the order of recording instead.',
    example: '2026-11-21T09:30:00.000Z',
  })
  occurred_at: string;

  @Field.uuid({
    description: 'The transfer that it belongs to.',
    example: EXAMPLE.transfer,
    nullable: true,
  })
  transfer_id: string | null;

  @Field.uuid({
    description: 'The reservation that it consumed.',
    example: EXAMPLE.reservation,
    nullable: true,
  })
  reservation_id: string | null;

  @Field.object(() => ActorDto, {
    description: 'Who created it.',
    example: undefined,
  })
  created_by: ActorDto;

  static from(this: void, movement: StockMovement): StockMovementDto {
    const { id, project_id, version, kind, item_id, location_id, quantity, change, on_hand_after, cost_amount, cost_source, lots } =
      movement;
    const { reason, reference, external_id, transfer_id, reservation_id } = movement;
    return {
      object: 'stock_movement',
      id,
      project_id,
      kind,
      item_id,
      location_id,
      quantity: plainDecimal(quantity),
      change: plainDecimal(change),
      on_hand_after: plainDecimal(on_hand_after),
      cost_amount,
      cost_source,
      lots,
      reason,
      reference,
      external_id,
      occurred_at: movement.occurred_at.toISOString(),
      transfer_id,
      reservation_id,
      created_by: movement.created_by,
      version,
      created_at: movement.created_at.toISOString(),
      updated_at: movement.updated_at.toISOString(),
    };
  }
}
