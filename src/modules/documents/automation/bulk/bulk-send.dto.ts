import { bothOf, Field, partialOf, pickOf, responseOf, shownOf } from '../../../../kit/index.js';
import { CreateDocumentDto } from '../../views/documents.dto.js';
import { ROW_STATUSES, type BulkSend, type BulkSendRow, type RowStatus } from './bulk-send.entity.js';

const MOST_ROWS = 1_000;

/** One document to send. */
export class BulkSendRowInputDto extends bothOf(
  pickOf(CreateDocumentDto, ['title']),
  partialOf(
    shownOf(CreateDocumentDto, {
      data_values: 'By field_schema of the type.',
      source_ref: 'Your reference.',
      sending: 'Replaces parts of that of all rows.',
    }),
  ),
) {
  @Field.string({
    description: 'Your key; not repeated within 90 days.',
    example: 'customer-4711',
    nullable: true,
    required: false,
  })
  key?: string | null;
}

/** The body of a bulk send. */
export class CreateBulkSendDto extends bothOf(
  shownOf(CreateDocumentDto, {
    type_code: { description: 'A published type with parties that requires no approval.', example: 'mutual_nda' },
  }),
  bothOf(
    pickOf(CreateDocumentDto, ['project_id']),
    partialOf(
      shownOf(CreateDocumentDto, {
        sending: 'For all rows: cc, subject, message, sender_name, sign_by, warn_days, remind_after_days, remind_every_days.',
      }),
    ),
  ),
) {
  @Field.object(() => BulkSendRowInputDto, {
    description: 'One per document.',
    example: [{ key: 'customer-4711', title: 'NDA with Acme', data_values: { contact_name: 'Ada', contact_email: 'ada@example.com' } }],
    list: { minItems: 1, maxItems: MOST_ROWS, repeats: true },
  })
  rows: BulkSendRowInputDto[];
}

/** A bulk send that was accepted. */
export class BulkSendDto {
  @Field.constant('bulk_send')
  object: string;

  @Field.uuid({
    description: 'Id.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a61',
  })
  id: string;

  @Field.oneOf(['running', 'completed'], {
    description: 'Whether all rows are done.',
    example: 'running',
  })
  status: string;

  static from(this: void, { id, finished_at }: BulkSend): BulkSendDto {
    return { object: 'bulk_send', id, status: finished_at === null ? 'running' : 'completed' };
  }
}

class BulkSendRowErrorDto {
  @Field.string({
    description: 'Error code.',
    example: 'validation_failed',
  })
  code: string;

  @Field.string({
    description: 'The field.',
    example: 'data_values.contact_email',
    nullable: true,
    maxLength: 500,
  })
  param: string | null;

  @Field.string({
    description: 'Why the row failed.',
    example: 'data_values.contact_email must be an e-mail address',
    maxLength: 2_000,
  })
  message: string;
}

/** The result of a row. */
class BulkSendResultDto extends shownOf(BulkSendRowInputDto, { key: 'Your key.' }) {
  @Field.integer({
    description: 'Row, from 1.',
    example: 1,
    minimum: 1,
  })
  row: number;

  @Field.oneOf(ROW_STATUSES, {
    description: 'repeated: its key was sent before.',
    example: 'sent',
  })
  status: RowStatus;

  @Field.uuid({
    description: 'The document.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20',
    nullable: true,
  })
  document_id: string | null;

  @Field.object(() => BulkSendRowErrorDto, {
    description: 'Why it failed.',
    example: undefined,
    nullable: true,
  })
  error: BulkSendRowErrorDto | null;
}

/** A bulk send with its progress and the result of each row. */
export class BulkSendProgressDto extends BulkSendDto {
  @Field.string({
    description: 'Code of the type.',
    example: 'mutual_nda',
  })
  type_code: string;

  @Field.integer({
    description: 'Rows.',
    example: 120,
    minimum: 1,
  })
  row_count: number;

  @Field.integer({
    description: 'Rows sent.',
    example: 80,
    minimum: 0,
  })
  sent_count: number;

  @Field.integer({
    description: 'Rows that failed.',
    example: 1,
    minimum: 0,
  })
  failed_count: number;

  @Field.integer({
    description: 'Rows whose key was sent before.',
    example: 0,
    minimum: 0,
  })
  repeated_count: number;

  @Field.dateTime({
    description: 'UTC.',
    example: null,
    nullable: true,
  })
  finished_at: string | null;

  @Field.object(() => BulkSendResultDto, {
    description: 'The results.',
    example: [],
    list: { maxItems: MOST_ROWS, repeats: true },
  })
  results: BulkSendResultDto[];

  static of(this: void, bulk: BulkSend, rows: readonly BulkSendRow[]): BulkSendProgressDto {
    return {
      ...responseOf(BulkSendProgressDto, bulk),
      ...BulkSendDto.from(bulk),
      results: rows.map(({ row, key, status, document_id, error }) => ({ row, key, status, document_id, error })),
    };
  }
}
