import { Field, Filter, Listing, ListQuery, responseOf } from '../../../kit/index.js';
import { LOG_RESULTS, type LeadWebhookLogRow, type LogResult } from './lead-webhook-log.entity.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const KEY = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a63';
const LEAD = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c10';

/** One request to the lead webhook: the caller, the address and the result. */
export class LeadWebhookLogDto {
  @Field.uuid({
    description: 'Id of the log entry, which is the log_id of an accepted submission.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20',
  })
  id: string;

  @Field.constant('lead_webhook_log')
  object: string;

  @Field.dateTime({
    description: 'When the response was sent, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  })
  created_at: string;

  @Field.uuid({
    description: 'The API key.',
    example: KEY,
  })
  api_key_id: string;

  @Field.uuid({
    description: 'Project of the lead, or the one the key is bound to.',
    example: PROJECT,
    nullable: true,
  })
  project_id: string | null;

  @Field.oneOf(['live', 'test'], {
    description: 'Data plane of the key.',
    example: 'live',
  })
  mode: string;

  @Field.string({
    description: 'Address of the caller.',
    example: '203.0.113.7',
  })
  address: string;

  @Field.string({
    description: 'User-Agent header, shortened.',
    example: 'WordPress/7.0',
    nullable: true,
  })
  user_agent: string | null;

  @Field.integer({
    description: 'HTTP status of the response.',
    example: 201,
  })
  status: number;

  @Field.string({
    description: 'Error code of the response; null for a success.',
    example: null,
    nullable: true,
  })
  code: string | null;

  @Field.oneOf(LOG_RESULTS, {
    description:
      'created, matched or updated: what happened to the lead; replayed: the response to an earlier request with the same ' +
      'Idempotency-Key; refused: a 4xx error; failed: a 5xx error.',
    example: 'created',
  })
  result: LogResult;

  @Field.uuid({
    description: 'The lead.',
    example: LEAD,
    nullable: true,
  })
  lead_id: string | null;

  @Field.uuid({
    description: 'All matching leads when there were several.',
    example: [],
    list: { maxItems: 3000 },
  })
  candidate_ids: string[];

  @Field.number({
    description: 'Time from the request to the end of the response, in milliseconds.',
    example: 4.2,
  })
  duration_ms: number;

  @Field.string({
    description: 'The Request-Id header of the response.',
    example: 'req_0198c5a07c1e7b3a9d573f4b8f1d2a60',
  })
  request_id: string;

  static from(this: void, row: LeadWebhookLogRow): LeadWebhookLogDto {
    return { ...responseOf(LeadWebhookLogDto, row), duration_ms: Math.round(row.duration_ms * 1000) / 1000 };
  }
}

/** A request to the lead webhook, with its body. */
export class LeadWebhookLogWithBodyDto extends LeadWebhookLogDto {
  @Field.string({
    description: 'The body as received, at most the first 64 KiB; null when it was too large to be read.',
    example: '{"full_name":"Ada Lovelace","email":"ada@example.com"}',
    nullable: true,
    minLength: 0,
    maxLength: 65_536,
  })
  body: string | null;

  @Field.integer({
    description: 'Length of the body in bytes.',
    example: 54,
    nullable: true,
  })
  body_bytes: number | null;

  @Field.boolean({
    description: 'Whether the personal data in the body is replaced by ***, which happens after 30 days.',
    example: false,
  })
  body_masked: boolean;
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
  isEndless: true,
  unindexed: {
    code: 'A code has a large part of the log.',
    request_id: 'The log is kept for days; another index would slow down each submission.',
  },
})
export class LeadWebhookLogsQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only requests with these API keys.',
    example: [KEY],
  })
  api_key_id?: string[];

  @Filter.uuid({
    description: 'Only requests for these projects.',
    example: [PROJECT],
    orNone: true,
  })
  project_id?: string[];

  @Filter.oneOf(['live', 'test'], {
    description: 'Only requests of this data plane.',
    example: ['live'],
  })
  mode?: string[];

  @Filter.oneOf(LOG_RESULTS, {
    description: 'Only requests with these results.',
    example: ['refused'],
  })
  result?: string[];

  @Filter.uuid({
    description: 'Only requests that created or matched these leads.',
    example: [LEAD],
  })
  lead_id?: string[];

  @Filter.integer({
    description: 'Only responses with these statuses.',
    example: [400],
  })
  status?: number[];

  @Filter.string({
    description: 'Only errors with these codes.',
    example: ['validation_failed'],
  })
  code?: string[];

  @Filter.string({
    description: 'Only the request with this Request-Id.',
    example: ['req_0198c5a07c1e7b3a9d573f4b8f1d2a60'],
  })
  request_id?: string[];

  @Filter.custom({
    kind: 'boolean',
    description: 'true for only the submissions that matched several leads, false for all others.',
    example: true,
  })
  ambiguous?: boolean;
}
