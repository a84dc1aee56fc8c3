import { ActorDto, Field, plainDecimal, ResourceDto } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { TRANSFER_STATUSES, type TransferStatus } from '../model/statuses.js';
import type { StockTransferLine } from '../model/transfer-line.entity.js';
import type { StockTransfer } from '../model/transfer.entity.js';

/** An item of a transfer, of one lot if the item is tracked. */
export class StockTransferLineDto {
  @Field.uuid({
    description: 'Id of the line.',
    example: EXAMPLE.line,
  })
  id: string;

  @Field.uuid({
    description: 'The item.',
    example: EXAMPLE.item,
  })
  item_id: string;

  @Field.uuid({
    description: 'The lot.',
    example: EXAMPLE.lot,
    nullable: true,
  })
  lot_id: string | null;

  @Field.decimal({
    description: 'What was sent.',
    example: '12',
    sign: 'positive',
  })
  quantity: string;

  @Field.decimal({
    description: 'What has arrived.',
    example: '9',
  })
  received_quantity: string;

  @Field.decimal({
    description: 'What was written off as lost.',
    example: '1',
  })
  lost_quantity: string;
}

/** A transfer of stock from one location to another. */
export class StockTransferDto extends ResourceDto {
  @Field.constant('stock_transfer')
  object: string;

  @Field.uuid({
    description: 'Project of the locations.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'Number, unique in the project.',
    example: 'TR-12',
  })
  number: string;

  @Field.oneOf(TRANSFER_STATUSES, {
    description: 'in_transit and partially_received await receipt.',
    example: 'in_transit',
  })
  status: TransferStatus;

  @Field.uuid({
    description: 'Where the stock was.',
    example: EXAMPLE.location,
  })
  from_location_id: string;

  @Field.uuid({
    description: 'Where it goes.',
    example: EXAMPLE.otherLocation,
  })
  to_location_id: string;

  @Field.object(() => StockTransferLineDto, {
    description: 'What is transferred; more lines than were sent if an item was taken from several lots.',
    example: undefined,
    list: { maxItems: 10_000, repeats: true },
  })
  lines: StockTransferLineDto[];

  @Field.string({
    description: 'What caused it.',
    example: 'Restock of the shop',
    nullable: true,
    isIdentifier: true,
  })
  reference: string | null;

  @Field.dateTime({
    description: 'When it was received or cancelled.',
    example: null,
    nullable: true,
  })
  ended_at: string | null;

  @Field.object(() => ActorDto, {
    description: 'Who created it.',
    example: undefined,
  })
  created_by: ActorDto;

  static from(this: void, transfer: StockTransfer, lines: readonly StockTransferLine[]): StockTransferDto {
    const { id, project_id, version, number, status, from_location_id, to_location_id, reference } = transfer;
    return {
      object: 'stock_transfer',
      id,
      project_id,
      number,
      status,
      from_location_id,
      to_location_id,
      lines: lines.map((line) => ({
        id: line.id,
        item_id: line.item_id,
        lot_id: line.lot_id,
        quantity: plainDecimal(line.quantity),
        received_quantity: plainDecimal(line.received_quantity),
        lost_quantity: plainDecimal(line.lost_quantity),
      })),
      reference,
      ended_at: transfer.ended_at?.toISOString() ?? null,
      created_by: transfer.created_by,
      version,
      created_at: transfer.created_at.toISOString(),
      updated_at: transfer.updated_at.toISOString(),
    };
  }
}
