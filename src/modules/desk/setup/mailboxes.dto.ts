import { bothOf, Field, Filter, Listing, partialOf, ProjectLookupQuery, responseOf, shownOf, type Mode } from '../../../kit/index.js';
import { ACTIVE, DeskConfiguredDto, OfProjectDto } from '../lookups/configured.dto.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { DeskMailbox } from '../model/mailbox.entity.js';

const DOMAIN = '^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$';
const MODES: readonly Mode[] = ['live', 'test'];

export class CreateDeskMailboxDto extends OfProjectDto {
  @Field.email({
    description: 'Address that people write to.',
    example: 'support@example.com',
  })
  address: string;

  @Field.string({
    description: 'Sender name of answers.',
    example: 'Support',
    maxLength: 100,
    nullable: true,
    required: false,
  })
  name?: string | null;

  @Field.uuid({
    description: "Queue of its tickets; the project's default if omitted.",
    example: EXAMPLE.queue,
    required: false,
  })
  queue_id?: string;

  @Field.oneOf(MODES, {
    description: 'Mails to a test mailbox become test tickets.',
    example: 'live',
    default: 'live',
    required: false,
  })
  mode?: Mode;

  @Field.string({
    description: 'Domains whose automatic mails and mailing lists open tickets too; their subdomains are trusted with them.',
    example: ['monitoring.example.com'],
    default: [],
    maxLength: 253,
    pattern: DOMAIN,
    patternInWords: 'a domain in ASCII, such as monitoring.example.com',
    list: { maxItems: 50 },
    required: false,
  })
  trusted_domains?: string[];

  @Field.boolean({
    description: "Whether a new ticket's requester gets its number by mail.",
    example: true,
    default: true,
    required: false,
  })
  acknowledge?: boolean;

  @Field.integer({
    description: 'How many days mails that became no ticket are kept as they were received; applies to mails that come later.',
    example: 90,
    default: 90,
    minimum: 1,
    maximum: 365,
    required: false,
  })
  keep_raw_days?: number;

  @Field.string({
    description:
      'Name of the mail server (authserv-id, RFC 8601) whose Authentication-Results headers are trusted. It must remove headers with ' +
      "its name from mails that it receives. An agent's mail with its word (dmarc=pass, or dkim=pass by the sender's domain) is relayed " +
      "as the team's answer; without it, or if null, it becomes a note.",
    example: 'mx.example.com',
    maxLength: 253,
    nullable: true,
    required: false,
  })
  authentication_server?: string | null;

  @Field.boolean(ACTIVE)
  active?: boolean;
}

export class UpdateDeskMailboxDto extends partialOf(CreateDeskMailboxDto, { omit: ['project_id', 'mode'] }) {}

/** An address whose mails become tickets. */
export class DeskMailboxDto extends bothOf(
  DeskConfiguredDto,
  shownOf(CreateDeskMailboxDto, {
    address: true,
    name: true,
    queue_id: 'Queue of its tickets.',
    mode: true,
    trusted_domains: true,
    acknowledge: true,
    keep_raw_days: true,
    authentication_server: true,
    active: 'Whether it accepts mails.',
  }),
) {
  @Field.constant('desk_mailbox')
  object: string;

  @Field.string({
    description: 'Where the mail server posts mails; shown once, when the mailbox is created or its token renewed.',
    example: null,
    nullable: true,
    maxLength: 2_000,
  })
  delivery_url: string | null;

  static from(this: void, mailbox: DeskMailbox, delivery_url: string | null = null): DeskMailboxDto {
    return { ...responseOf(DeskMailboxDto, mailbox), delivery_url };
  }
}

@Listing({
  sort: ['address', 'created_at'],
  defaultSort: 'address',
})
export class DeskMailboxesQuery extends ProjectLookupQuery {
  @Filter.oneOf(MODES, {
    description: 'Only of this mode.',
    example: ['live'],
  })
  mode?: Mode[];
}
