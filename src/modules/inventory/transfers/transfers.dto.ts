import { Field, Filter, Listing, ListQuery } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { TRANSFER_STATUSES, type TransferStatus } from '../model/statuses.js';

export class TransferLineDto {
  @Field.uuid({
    description: 'The item.',
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
    description: 'Where the stock is, from list_stock_locations.',
    example: EXAMPLE.location,
  })
  from_location_id: string;

  @Field.uuid({
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
    description: 'What causes it.',
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

@Listing({
  sort: ['created_at', 'updated_at'],
  defaultSort: '-created_at',
})
export class StockTransfersQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only of these projects.',
    example: [EXAMPLE.project],
  })
  project_id?: string[];

  @Filter.oneOf(TRANSFER_STATUSES, {
    description: 'Only with these statuses.',
    example: ['in_transit'],
  })
  status?: TransferStatus[];

  @Filter.custom({
    kind: 'uuid',
    description: 'Only with one of these items.',
    example: [EXAMPLE.item],
    list: { maxItems: 50 },
  })
  item_id?: string[];
}
