import { ActorDto, ActorField, bothOf, DatedResourceDto, Field, plainDecimal, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { TRANSFER_STATUSES, type TransferStatus } from '../model/statuses.js';
import type { StockTransferLine } from '../model/transfer-line.entity.js';
import type { StockTransfer } from '../model/transfer.entity.js';

export class TransferLineDto {
  @Field.uuid({
    description: 'The item, from list_items.',
    example: EXAMPLE.item,
  })
  item_id: string;

  @Field.decimal({
    description: "How much, in the item's unit.",
    example: '12',
    sign: 'positive',
  })
  quantity: string;

  @Field.uuid({
    description: 'The lot; by default what expires first.',
    example: EXAMPLE.lot,
    nullable: true,
    required: false,
  })
  lot_id?: string | null;
}

export class TransferStockDto {
  @Field.uuid({
    summary: true,
    description: 'Where the stock is, from list_stock_locations.',
    example: EXAMPLE.location,
  })
  from_location_id: string;

  @Field.uuid({
    summary: true,
    description: 'Where it goes, in the same project.',
    example: EXAMPLE.otherLocation,
  })
  to_location_id: string;

  @Field.object(() => TransferLineDto, {
    description: 'What to transfer.',
    example: [{ item_id: EXAMPLE.item, quantity: '12' }],
    list: { minItems: 1, maxItems: 100, repeats: true },
  })
  lines: TransferLineDto[];

  @Field.boolean({
    description: 'true: it is on its way until receive_stock_transfer. false: it arrives at once.',
    example: true,
    default: false,
    required: false,
  })
  in_transit?: boolean;

  @Field.string({
    description: 'What causes it, such as an order number.',
    example: 'Restock of the shop',
    nullable: true,
    required: false,
    isIdentifier: true,
  })
  reference?: string | null;
}

export class ReceivedLineDto {
  @Field.uuid({
    description: 'Id of a line of the transfer.',
    example: EXAMPLE.line,
  })
  line_id: string;

  @Field.decimal({
    description: 'What has arrived now.',
    example: '9',
    default: '0',
    required: false,
  })
  received_quantity?: string;

  @Field.decimal({
    description: 'What is lost and to be written off.',
    example: '1',
    default: '0',
    required: false,
  })
  lost_quantity?: string;
}

export class ReceiveStockTransferDto {
  @Field.object(() => ReceivedLineDto, {
    description: 'What has arrived or is lost; everything has arrived if omitted.',
    example: [{ line_id: EXAMPLE.line, received_quantity: '9', lost_quantity: '1' }],
    list: { minItems: 1, maxItems: 1000, repeats: true },
    required: false,
  })
  lines?: ReceivedLineDto[];
}

/** An item of a transfer, of one lot if the item is tracked. */
export class StockTransferLineDto extends bothOf(
  shownOf(TransferLineDto, { item_id: true, lot_id: 'The lot.', quantity: 'What was sent.' }),
  shownOf(ReceivedLineDto, { received_quantity: 'What has arrived.', lost_quantity: 'What was written off as lost.' }),
) {
  @Field.uuid({
    description: 'Id of the line.',
    example: EXAMPLE.line,
  })
  id: string;
}

/** A transfer of stock from one location to another. */
export class StockTransferDto extends bothOf(
  DatedResourceDto,
  shownOf(TransferStockDto, {
    from_location_id: { description: 'Where the stock was.', summary: false },
    to_location_id: { description: 'Where it goes.', summary: false },
    reference: 'What caused it.',
  }),
) {
  @Field.constant('stock_transfer')
  object: string;

  @Field.string({
    summary: true,
    description: 'Code of the location where the stock was. In answers to GET.',
    example: 'MAIN',
    required: false,
  })
  from_location_code?: string;

  @Field.string({
    summary: true,
    description: 'Code of the location where it goes. In answers to GET.',
    example: 'SHOP',
    required: false,
  })
  to_location_code?: string;

  @Field.uuid({
    description: 'Project of the locations.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    summary: true,
    description: 'Number, unique in the project.',
    example: 'TR-12',
  })
  number: string;

  @Field.oneOf(TRANSFER_STATUSES, {
    summary: true,
    description: 'in_transit and partially_received await receipt.',
    example: 'in_transit',
  })
  status: TransferStatus;

  @Field.object(() => StockTransferLineDto, {
    description: 'What is transferred; more lines than were sent if an item was taken from several lots.',
    example: undefined,
    list: { maxItems: 10_000, repeats: true },
  })
  lines: StockTransferLineDto[];

  @Field.dateTime({
    description: 'When it was received or cancelled.',
    example: null,
    nullable: true,
  })
  ended_at: string | null;

  @ActorField('Who created it.')
  created_by: ActorDto;

  static from(this: void, transfer: StockTransfer, lines: readonly StockTransferLine[]): StockTransferDto {
    return {
      ...responseOf(StockTransferDto, transfer),
      ...transfer.names,
      lines: lines.map((line) => ({
        ...responseOf(StockTransferLineDto, line),
        quantity: plainDecimal(line.quantity),
        received_quantity: plainDecimal(line.received_quantity),
        lost_quantity: plainDecimal(line.lost_quantity),
      })),
    };
  }
}
