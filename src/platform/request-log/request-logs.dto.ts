import { Field, Filter, Listing, ListQuery, responseOf } from '../../kit/index.js';
import type { RequestLogRow } from './request-log.entity.js';

const PROJECT_ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a61';
const KEY_ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a63';
const MEMBER_ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a64';
export const PLANES = ['keyed', 'product'] as const;
const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;

/** One request: caller, route and outcome. No bodies, which have a route of their own, and no secrets. */
export class RequestLogDto {
  @Field.uuid({
    description: 'Id of the log entry.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  id: string;

  @Field.constant('request_log')
  object: string;

  @Field.dateTime({
    description: 'When the response was sent, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  })
  created_at: string;

  @Field.uuid({
    description: 'The API key; also set for rejected calls if the key was recognized.',
    example: KEY_ID,
    nullable: true,
  })
  api_key_id: string | null;

  @Field.uuid({
    description: 'The signed-in member, or the member the key is bound to.',
    example: null,
    nullable: true,
  })
  member_id: string | null;

  @Field.uuid({
    description: 'The project the key is bound to.',
    example: PROJECT_ID,
    nullable: true,
  })
  project_id: string | null;

  @Field.oneOf(['live', 'test'], {
    description: 'Data plane of the call.',
    example: 'test',
    nullable: true,
  })
  mode: string | null;

  @Field.oneOf(PLANES, {
    description: 'keyed: a call by API key; product: a change by a signed-in member.',
    example: 'keyed',
  })
  plane: string;

  @Field.string({
    description: 'HTTP method.',
    example: 'GET',
  })
  method: string;

  @Field.string({
    description: 'Path template of the route; null for an unknown path.',
    example: '/api/v1/ext/notes/notes/{id}',
    nullable: true,
  })
  route: string | null;

  @Field.string({
    description: 'operationId of the route.',
    example: 'get_note',
    nullable: true,
  })
  operation: string | null;

  @Field.oneOf(['http', 'mcp'], {
    description: 'Whether it was called directly or through the MCP endpoint.',
    example: 'mcp',
  })
  via: string;

  @Field.string({
    description: 'MCP tool, when called through MCP.',
    example: 'get_note',
    nullable: true,
  })
  tool: string | null;

  @Field.integer({
    description: 'HTTP status of the response.',
    example: 200,
  })
  status: number;

  @Field.string({
    description: 'Error code of the response; null for a success.',
    example: null,
    nullable: true,
  })
  code: string | null;

  @Field.number({
    description: 'Time from the request to the end of the response, in milliseconds.',
    example: 3.2,
  })
  latency_ms: number;

  @Field.string({
    description: 'IP address of the caller; several if the entry counts calls from many.',
    example: '203.0.113.7',
  })
  address: string;

  @Field.string({
    description: 'The Request-Id header of the response.',
    example: 'req_0198c5a07c1e7b3a9d573f4b8f1d2a60',
  })
  request_id: string;

  @Field.boolean({
    description: 'Whether a stored response was replayed for a repeated Idempotency-Key.',
    example: false,
  })
  idempotent_replay: boolean;

  @Field.boolean({
    description: 'Whether it was a dry run, which changes nothing.',
    example: false,
  })
  dry_run: boolean;

  @Field.string({
    description: 'User-Agent header, truncated.',
    example: 'curl/8.14',
    nullable: true,
  })
  user_agent: string | null;

  @Field.integer({
    description:
      'How many calls the entry represents: calls with a key that were refused before they counted against its limits, such as by 429, ' +
      'are counted per minute and code, dry runs apart, calls over the limit of a key also by tool. The entry describes the first of them.',
    example: 1,
  })
  calls: number;

  static from(this: void, row: RequestLogRow): RequestLogDto {
    return { ...responseOf(RequestLogDto, row), latency_ms: Math.round(row.latency_ms * 1000) / 1000 };
  }
}

/** One body of a request, without private content. */
export class KeptBodyDto {
  @Field.string({
    description: 'JSON; names, e-mail addresses, phone numbers, secrets and fields unknown to the route are `[masked]`.',
    example: '{ "title": "Call the bank" }',
    minLength: 0,
    maxLength: 16_384,
  })
  text: string;

  @Field.boolean({
    description: 'Whether the text is cut after 16 KiB.',
    example: false,
  })
  truncated: boolean;
}

const REASONS = ['not_a_key', 'setting', 'live_success', 'expired', 'no_body'] as const;

/** The bodies of a logged request, as far as they are kept. */
export class RequestBodiesDto {
  @Field.constant('request_bodies')
  object: string;

  @Field.object(() => KeptBodyDto, {
    description: 'What was sent; null if nothing, or if it is not kept.',
    example: undefined,
    nullable: true,
  })
  request: KeptBodyDto | null;

  @Field.object(() => KeptBodyDto, {
    description: 'The response; null if it is not kept.',
    example: undefined,
    nullable: true,
  })
  response: KeptBodyDto | null;

  @Field.oneOf(REASONS, {
    description:
      'Why neither is kept; null if one is. not_a_key: a change by a member; setting: kept_bodies of the organization; live_success: ' +
      'a live call that succeeded; expired: older than 7 days; no_body: neither was JSON of at most 64 KiB.',
    example: null,
    nullable: true,
  })
  reason: (typeof REASONS)[number] | null;
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
  isEndless: true,
})
export class RequestLogsQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only calls with these API keys.',
    example: KEY_ID,
  })
  api_key_id?: string[];

  @Filter.uuid({
    description: 'Only calls of these members, or with keys bound to them.',
    example: MEMBER_ID,
  })
  member_id?: string[];

  @Filter.uuid({
    description: 'Only calls with keys bound to these projects.',
    example: PROJECT_ID,
    orNone: true,
  })
  project_id?: string[];

  @Filter.oneOf(['live', 'test'], {
    description: 'Only calls of this data plane.',
    example: 'live',
  })
  mode?: string[];

  @Filter.oneOf(PLANES, {
    description: 'Only calls of these planes; keyed unless given.',
    example: 'keyed',
  })
  plane?: string[];

  @Filter.string({
    description: 'Only calls of these operations.',
    example: 'create_note',
  })
  operation?: string[];

  @Filter.string({
    description: 'Only calls of these routes, as path templates.',
    example: '/api/v1/ext/notes/notes/{id}',
  })
  route?: string[];

  @Filter.oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'], {
    description: 'Only calls with these methods.',
    example: 'POST',
  })
  method?: string[];

  @Filter.oneOf(['http', 'mcp'], {
    description: 'Only calls by this interface.',
    example: 'mcp',
  })
  via?: string[];

  @Filter.string({
    description: 'Only calls of these MCP tools.',
    example: 'create_note',
  })
  tool?: string[];

  @Filter.integer({
    description: 'Only responses with these statuses.',
    example: 429,
  })
  status?: number[];

  @Filter.boolean({
    description: 'Only dry runs, or only calls that are none.',
    example: true,
  })
  dry_run?: boolean;

  @Filter.custom({
    kind: 'enum',
    values: STATUS_CLASSES,
    description: 'Only responses in these status classes.',
    example: '4xx',
    list: { maxItems: 4 },
  })
  status_class?: string[];

  @Filter.string({
    description: 'Only errors with these codes.',
    example: 'rate_limited',
  })
  code?: string[];

  @Filter.custom({
    kind: 'string',
    maxLength: 100,
    description: 'Only calls whose path, operation, tool, error code, Request-Id or name of the key contains this text.',
    example: 'notes',
  })
  text?: string;

  @Filter.from('integer', {
    description: 'Only calls that took at least as many milliseconds.',
    example: 500,
    column: 'latency_ms',
  })
  latency_ms_from?: number;

  @Filter.string({
    description: 'Only the call with this Request-Id.',
    example: 'req_0198c5a07c1e7b3a9d573f4b8f1d2a60',
  })
  request_id?: string[];
}
