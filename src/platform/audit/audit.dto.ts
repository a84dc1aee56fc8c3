import { Field, Filter, Listing, ListQuery, responseOf } from '../../kit/index.js';
import type { AuditLogEntry } from './audit-log-entry.entity.js';

const ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60';

/** One change of access, configuration or administration. */
export class AuditLogEntryDto {
  @Field.uuid({
    description: 'Id of the entry.',
    example: ID,
  })
  id: string;

  @Field.constant('audit_log_entry')
  object: string;

  @Field.integer({
    description: 'Position among the entries of the organization, from 1, without gaps.',
    example: 42,
  })
  sequence: number;

  @Field.dateTime({
    description: 'When it happened, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  })
  created_at: string;

  @Field.string({
    description: 'What was done, such as created, updated, deleted, signed_in or exported.',
    example: 'updated',
  })
  action: string;

  @Field.string({
    description: 'What it was done to.',
    example: 'webhook_endpoint',
  })
  object_type: string;

  @Field.string({
    description: 'Id of that object.',
    example: ID,
    nullable: true,
  })
  object_id: string | null;

  @Field.map({
    description: 'Values before it; of an update, only those that changed. Secrets are not recorded.',
    example: { status: 'enabled' },
    nullable: true,
  })
  before: Record<string, unknown> | null;

  @Field.map({
    description: 'Values after it.',
    example: { status: 'disabled' },
    nullable: true,
  })
  after: Record<string, unknown> | null;

  @Field.string({
    description: 'Who did it: user, api_key, oauth_client (an app that gave up its connection), operator (a command), guest or system.',
    example: 'user',
  })
  actor_type: string;

  @Field.string({
    description: 'Id of the member, API key or OAuth client.',
    example: ID,
    nullable: true,
  })
  actor_id: string | null;

  @Field.string({
    description: 'E-mail address of the member, or name of the OAuth client or operator.',
    example: 'ada@example.com',
    nullable: true,
  })
  actor_name: string | null;

  @Field.string({
    description: 'operationId of the route, the method and path of a route that has none, the command, or the job.',
    example: 'update_webhook_endpoint',
    nullable: true,
  })
  operation: string | null;

  @Field.string({
    description: 'IP address of the caller.',
    example: '203.0.113.7',
    nullable: true,
  })
  address: string | null;

  @Field.string({
    description: 'User-Agent header, truncated.',
    example: 'curl/8.14',
    nullable: true,
  })
  user_agent: string | null;

  @Field.string({
    description: 'The Request-Id header of the response.',
    example: 'req_0198c5a07c1e7b3a9d573f4b8f1d2a60',
    nullable: true,
  })
  request_id: string | null;

  @Field.string({
    description: 'SHA-256, in hexadecimal digits, of the entry and of the hash of the entry before it.',
    example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  })
  hash: string;

  static from(this: void, row: AuditLogEntry): AuditLogEntryDto {
    // entries of mails, which earlier versions made, have links with which a reader could sign in
    const shown = row.object_type === 'mail_row' ? { ...row, before: null, after: null } : row;
    return responseOf(AuditLogEntryDto, { ...shown, sequence: Number(row.sequence), hash: row.hash.toString('hex') });
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
  isEndless: true,
})
export class AuditEntriesQuery extends ListQuery {
  @Filter.string({
    description: 'Only entries with these actions.',
    example: 'updated',
  })
  action?: string[];

  @Filter.string({
    description: 'Only entries about objects of these types.',
    example: 'api_key',
  })
  object_type?: string[];

  @Filter.string({
    description: 'Only entries about these objects.',
    example: ID,
  })
  object_id?: string[];

  @Filter.string({
    description: 'Only entries of these kinds of actors.',
    example: 'user',
  })
  actor_type?: string[];

  @Filter.string({
    description: 'Only entries of these members, API keys or OAuth clients.',
    example: ID,
  })
  actor_id?: string[];

  @Filter.string({
    description: 'Only entries of these operations.',
    example: 'update_role',
  })
  operation?: string[];

  @Filter.string({
    description: 'Only entries of the request with this Request-Id.',
    example: 'req_0198c5a07c1e7b3a9d573f4b8f1d2a60',
  })
  request_id?: string[];
}
