import { Field, Filter, Listing, ProjectListQuery, ResourceDto, responseOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { EXCHANGE_RATE } from '../model/field-options.js';
import { POSTING_STATUSES, type OrderPosting, type PostingStatus } from '../model/order-posting.entity.js';

class PostingErrorDto {
  @Field.string({
    description: 'Error code.',
    example: 'setup_incomplete',
  })
  code: string;

  @Field.string({
    description: 'The parameter at fault.',
    example: 'invoice_lines.0.tax_code',
    nullable: true,
  })
  param: string | null;

  @Field.string({
    description: 'What went wrong.',
    example: 'Missing in the accounting setup: seller.name.',
    maxLength: 2000,
  })
  message: string;
}

/** How an event of an order was posted. */
export class OrderPostingDto extends ResourceDto {
  @Field.constant('order_posting')
  object: string;

  @Field.uuid({
    description: 'Project.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'Event.',
    example: 'order.paid',
  })
  event_type: string;

  @Field.uuid({
    description: 'Order.',
    example: EXAMPLE.line,
  })
  order_id: string;

  @Field.string({
    description: 'Number of the order.',
    example: 'O-42',
  })
  order_number: string;

  @Field.oneOf(POSTING_STATUSES, {
    description: 'done; failed, which can be retried; waiting: a refund before its invoice, posted with it or by a retry.',
    example: 'done',
  })
  status: PostingStatus;

  @Field.object(() => PostingErrorDto, {
    description: 'Why it failed.',
    example: null,
    nullable: true,
  })
  error: PostingErrorDto | null;

  @Field.uuid({
    description: 'The invoice or credit note that was made or settled; null if none was needed.',
    example: EXAMPLE.invoice,
    nullable: true,
  })
  invoice_id: string | null;

  static from(this: void, posting: OrderPosting): OrderPostingDto {
    return responseOf(OrderPostingDto, posting);
  }
}

/** The body that repeats a posting that failed or waits. */
export class RetryOrderPostingDto {
  @Field.decimal({
    description: 'Base currency per unit, if the order is in a foreign currency.',
    example: '0.92',
    required: false,
    ...EXCHANGE_RATE,
  })
  exchange_rate?: string;
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class OrderPostingsQuery extends ProjectListQuery {
  @Filter.oneOf(POSTING_STATUSES, {
    description: 'Only with this status.',
    example: ['failed'],
  })
  status?: PostingStatus[];

  @Filter.uuid({
    description: 'Only of these orders.',
    example: [EXAMPLE.line],
  })
  order_id?: string[];
}
