import { BatchErrorDto, Field, field, Filter, Listing } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { MOVEMENT_KINDS, type MovementKind, type StockMovement } from '../model/movement.entity.js';
import { OfItemsQuery } from '../resources/of-item.dto.js';
import { RecordStockMovementDto, StockMovementDto } from '../resources/movement.dto.js';

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class StockMovementsQuery extends OfItemsQuery {
  @Filter.uuid({
    description: 'Only at these locations.',
    example: [EXAMPLE.location],
  })
  location_id?: string[];

  @Filter.oneOf(MOVEMENT_KINDS, {
    description: 'Only of these kinds.',
    example: ['issue'],
  })
  kind?: MovementKind[];

  @Filter.string({
    description: 'Only with these references.',
    example: ['SO-1001'],
  })
  reference?: string[];

  @Filter.string({
    description: 'Only with these ids in your system.',
    example: ['wms-881'],
  })
  external_id?: string[];

  @Filter.uuid({
    description: 'Only of these lots.',
    example: [EXAMPLE.lot],
    column: 'lot_ids',
    overlaps: true,
  })
  lot_id?: string[];
}

export class BatchStockMovementsDto {
  @Field.object(() => RecordStockMovementDto, {
    description: 'The movements, recorded in this order.',
    example: [{ kind: 'count', item_id: EXAMPLE.item, location_id: EXAMPLE.location, quantity: '40' }],
    list: { minItems: 1, maxItems: 100, repeats: true },
  })
  items: RecordStockMovementDto[];

  @Field.boolean({
    description: 'true: if one fails, nothing is recorded and the response is its error. false: they succeed or fail separately.',
    example: false,
    default: false,
    required: false,
  })
  atomic?: boolean;
}

/** The error of a failed movement, as in the error envelope. */
export class StockMovementBatchErrorDto extends BatchErrorDto {
  @field({
    kind: 'map',
    description: 'The items that lack stock, or the reservations that hold it.',
    example: [],
    nullable: true,
    list: { maxItems: 50, repeats: true },
  })
  details: object[] | null;
}

/** The result of one movement of a batch. */
export class StockMovementResultDto {
  @Field.integer({
    description: 'Index of the movement in the request, from 0.',
    example: 0,
    minimum: 0,
  })
  index: number;

  @Field.integer({
    description: 'The HTTP status that a separate call would have returned.',
    example: 201,
    minimum: 200,
    maximum: 499,
  })
  status: number;

  @Field.object(() => StockMovementDto, {
    description: 'The movement; null if it failed.',
    example: undefined,
    nullable: true,
  })
  movement: StockMovementDto | null;

  @Field.object(() => StockMovementBatchErrorDto, {
    description: 'The error if it failed, or null.',
    example: undefined,
    nullable: true,
  })
  error: StockMovementBatchErrorDto | null;
}

/** A recorded movement, or why it was not. */
export type RecordResult = { movement: StockMovement } | { error: StockMovementBatchErrorDto; status: number };

/** The response of batch_stock_movements. */
export class StockMovementBatchDto {
  @Field.constant('stock_movement_batch')
  object: string;

  @Field.integer({
    description: 'Number of movements that were recorded.',
    example: 1,
    minimum: 0,
  })
  succeeded: number;

  @Field.integer({
    description: 'Number of movements that failed; they changed nothing.',
    example: 0,
    minimum: 0,
  })
  failed: number;

  @Field.object(() => StockMovementResultDto, {
    description: 'One result per movement, in the order of the request.',
    example: undefined,
    list: { maxItems: 100, repeats: true },
  })
  results: StockMovementResultDto[];

  static from(this: void, done: readonly RecordResult[]): StockMovementBatchDto {
    const results = done.map((result, index) =>
      'movement' in result
        ? { index, status: 201, movement: StockMovementDto.from(result.movement), error: null }
        : { index, movement: null, ...result },
    );
    const failed = results.filter(({ error }) => error !== null).length;
    return { object: 'stock_movement_batch', succeeded: results.length - failed, failed, results };
  }
}
