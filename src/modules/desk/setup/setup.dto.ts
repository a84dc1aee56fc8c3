import { Field, Filter, Listing, LookupQuery, partialOf, type Mode } from '../../../kit/index.js';
import { base, DeskConfiguredDto, NAME, POSITION, TicketViewFiltersDto } from '../lookups/lookups.dto.js';
import type { DeskBusinessHours } from '../model/business-hours.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { DeskMailbox } from '../model/mailbox.entity.js';
import type { DeskSettings } from '../model/settings.entity.js';
import type { DeskSlaPolicy } from '../model/sla-policy.entity.js';
import { STATUS_CATEGORIES, type StatusCategory } from '../model/values.js';

const PLACE = { ...POSITION, description: 'Position in the list; the last one if omitted.', required: false };
const ACTIVE = { description: 'Whether it is in use.', example: true, default: true, required: false };
const DOMAIN = '^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$';
const CLOCK = '^([01][0-9]|2[0-3]):[0-5][0-9]$';

class OfProjectDto {
  @Field.uuid({
    description: 'The project; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;
}

export class CreateTicketStatusDto extends OfProjectDto {
  @Field.string({
    ...NAME,
    example: 'Waiting for delivery',
  })
  name: string;

  @Field.oneOf(STATUS_CATEGORIES, {
    description: 'Never changes.',
    example: 'on_hold',
  })
  category: StatusCategory;

  @Field.boolean({
    description: 'true makes it the default of its category instead of the current one.',
    example: true,
    required: false,
  })
  is_default?: boolean;

  @Field.integer(PLACE)
  position?: number;

  @Field.boolean(ACTIVE)
  active?: boolean;
}

export class UpdateTicketStatusDto extends partialOf(CreateTicketStatusDto, { omit: ['project_id', 'category'] }) {}

export class CreateTicketQueueDto extends OfProjectDto {
  @Field.string({
    ...NAME,
    example: 'Billing',
  })
  name: string;

  @Field.boolean({
    description: 'true makes it the default instead of the current one.',
    example: true,
    required: false,
  })
  is_default?: boolean;

  @Field.integer(PLACE)
  position?: number;

  @Field.boolean(ACTIVE)
  active?: boolean;
}

export class UpdateTicketQueueDto extends partialOf(CreateTicketQueueDto, { omit: ['project_id'] }) {}

export class CreateTicketAgentDto extends OfProjectDto {
  @Field.uuid({
    description: 'A member; one agent per project.',
    example: EXAMPLE.member,
  })
  member_id: string;

  @Field.uuid({
    description: 'The queues they work on; empty: all.',
    example: [],
    default: [],
    list: { maxItems: 50 },
    required: false,
  })
  queue_ids?: string[];

  @Field.boolean({
    ...ACTIVE,
    description: 'Whether tickets can be assigned to them.',
  })
  active?: boolean;
}

export class UpdateTicketAgentDto extends partialOf(CreateTicketAgentDto, { omit: ['project_id', 'member_id'] }) {}

export class CreateTicketViewDto extends OfProjectDto {
  @Field.string({
    ...NAME,
    example: 'Unassigned',
  })
  name: string;

  @Field.object(() => TicketViewFiltersDto, {
    description: 'What it shows.',
    example: { status_category: ['unsolved'] },
  })
  filters: TicketViewFiltersDto;

  @Field.integer(PLACE)
  position?: number;

  @Field.boolean(ACTIVE)
  active?: boolean;
}

export class UpdateTicketViewDto extends partialOf(CreateTicketViewDto, { omit: ['project_id'] }) {}

export class CreateCannedResponseDto extends OfProjectDto {
  @Field.string({
    ...NAME,
    example: 'Ask for the serial number',
  })
  name: string;

  @Field.string({
    description: 'Text; {{ticket.number}}, {{ticket.subject}}, {{requester.name}} and {{agent.name}} are filled in.',
    example: 'Hello {{requester.name}}, which serial number does it have?',
    maxLength: 20_000,
  })
  body: string;

  @Field.boolean(ACTIVE)
  active?: boolean;
}

export class UpdateCannedResponseDto extends partialOf(CreateCannedResponseDto, { omit: ['project_id'] }) {}

/** A part of a weekday. */
export class BusinessWindowDto {
  @Field.integer({
    description: 'ISO 8601: 1 is Monday.',
    example: 1,
    minimum: 1,
    maximum: 7,
  })
  weekday: number;

  @Field.string({
    description: 'Local time, HH:MM.',
    example: '09:00',
    pattern: CLOCK,
  })
  start: string;

  @Field.string({
    description: 'Local time after start, HH:MM, at most 24:00; exclusive.',
    example: '17:00',
    pattern: `${CLOCK}|^24:00$`,
  })
  end: string;
}

export class CreateBusinessHoursDto extends OfProjectDto {
  @Field.string({
    ...NAME,
    example: 'Office hours',
  })
  name: string;

  @Field.string({
    description: "IANA name of the time zone; the project's if omitted.",
    example: 'Europe/Berlin',
    required: false,
  })
  timezone?: string;

  @Field.object(() => BusinessWindowDto, {
    description: 'Working times; a day may have several windows.',
    example: [{ weekday: 1, start: '09:00', end: '17:00' }],
    list: { minItems: 1, maxItems: 50, repeats: true },
  })
  windows: BusinessWindowDto[];

  @Field.date({
    description: 'Dates without working time.',
    example: ['2026-12-25'],
    default: [],
    list: { maxItems: 500 },
    required: false,
  })
  holidays?: string[];
}

export class UpdateBusinessHoursDto extends partialOf(CreateBusinessHoursDto, { omit: ['project_id'] }) {}

/** When somebody answers. */
export class BusinessHoursDto extends DeskConfiguredDto {
  @Field.constant('business_hours')
  object: string;

  @Field.string({
    ...NAME,
    example: 'Office hours',
  })
  name: string;

  @Field.string({
    description: 'IANA name of the time zone.',
    example: 'Europe/Berlin',
  })
  timezone: string;

  @Field.object(() => BusinessWindowDto, {
    description: 'When somebody answers.',
    example: undefined,
    list: { maxItems: 50 },
  })
  windows: BusinessWindowDto[];

  @Field.date({
    description: 'Dates without working time.',
    example: ['2026-12-25'],
    list: { maxItems: 500 },
  })
  holidays: string[];

  static from(this: void, hours: DeskBusinessHours): BusinessHoursDto {
    const { name, timezone, windows, holidays } = hours;
    return { object: 'business_hours', ...base(hours), name, timezone, windows, holidays };
  }
}

const MINUTES = { example: 60, minimum: 1, maximum: 525_600, nullable: true, required: false };

/** Targets of one priority in business minutes; null: not measured. */
export class SlaTargetsDto {
  @Field.integer({
    ...MINUTES,
    description: 'From creation to the first public reply.',
  })
  first_response?: number | null;

  @Field.integer({
    ...MINUTES,
    description: "From the requester's message to the next answer.",
  })
  next_response?: number | null;

  @Field.integer({
    ...MINUTES,
    description: 'From creation until it is solved.',
    example: 2880,
  })
  resolution?: number | null;
}

/** Targets by priority. */
export class SlaTargetsByPriorityDto {
  @Field.object(() => SlaTargetsDto, {
    description: 'Of low priority.',
    example: undefined,
    required: false,
  })
  low?: SlaTargetsDto;

  @Field.object(() => SlaTargetsDto, {
    description: 'Of normal priority.',
    example: undefined,
    required: false,
  })
  normal?: SlaTargetsDto;

  @Field.object(() => SlaTargetsDto, {
    description: 'Of high priority.',
    example: undefined,
    required: false,
  })
  high?: SlaTargetsDto;

  @Field.object(() => SlaTargetsDto, {
    description: 'Of urgent priority.',
    example: undefined,
    required: false,
  })
  urgent?: SlaTargetsDto;
}

export class CreateSlaPolicyDto extends OfProjectDto {
  @Field.string({
    ...NAME,
    example: 'Standard',
  })
  name: string;

  @Field.integer({
    ...PLACE,
    description: 'The first policy that matches a ticket applies; the last one if omitted.',
  })
  position?: number;

  @Field.uuid({
    description: 'Queues whose tickets match; empty: all.',
    example: [],
    default: [],
    list: { maxItems: 50 },
    required: false,
  })
  queue_ids?: string[];

  @Field.string({
    description: 'Tickets with any of these tags match; empty: all.',
    example: [],
    default: [],
    maxLength: 50,
    list: { maxItems: 20 },
    required: false,
  })
  tags?: string[];

  @Field.uuid({
    description: 'Business hours; null: around the clock.',
    example: EXAMPLE.businessHours,
    nullable: true,
    required: false,
  })
  business_hours_id?: string | null;

  @Field.object(() => SlaTargetsByPriorityDto, {
    description: 'Targets.',
    example: { normal: { first_response: 60, resolution: 2880 } },
  })
  targets: SlaTargetsByPriorityDto;

  @Field.boolean({
    description: 'Whether clocks pause on hold, as they do while pending.',
    example: false,
    default: false,
    required: false,
  })
  pause_on_hold?: boolean;

  @Field.boolean(ACTIVE)
  active?: boolean;
}

export class UpdateSlaPolicyDto extends partialOf(CreateSlaPolicyDto, { omit: ['project_id'] }) {}

/** How fast tickets are answered and solved. */
export class SlaPolicyDto extends DeskConfiguredDto {
  @Field.constant('sla_policy')
  object: string;

  @Field.string({
    ...NAME,
    example: 'Standard',
  })
  name: string;

  @Field.integer(POSITION)
  position: number;

  @Field.uuid({
    description: 'Queues whose tickets match; empty: all.',
    example: [],
    list: { maxItems: 50 },
  })
  queue_ids: string[];

  @Field.string({
    description: 'Tickets with any of these tags match; empty: all.',
    example: [],
    maxLength: 50,
    list: { maxItems: 20 },
  })
  tags: string[];

  @Field.uuid({
    description: 'Business hours; null: around the clock.',
    example: EXAMPLE.businessHours,
    nullable: true,
  })
  business_hours_id: string | null;

  @Field.object(() => SlaTargetsByPriorityDto, {
    description: 'Targets.',
    example: undefined,
  })
  targets: SlaTargetsByPriorityDto;

  @Field.boolean({
    description: 'Whether clocks pause on hold.',
    example: false,
  })
  pause_on_hold: boolean;

  @Field.boolean({
    description: 'Whether it is in use.',
    example: true,
  })
  active: boolean;

  static from(this: void, policy: DeskSlaPolicy): SlaPolicyDto {
    const { name, position, queue_ids, tags, business_hours_id, targets, pause_on_hold, active } = policy;
    return { object: 'sla_policy', ...base(policy), name, position, queue_ids, tags, business_hours_id, targets, pause_on_hold, active };
  }
}

const MODES: readonly Mode[] = ['live', 'test'];

export class CreateDeskMailboxDto extends OfProjectDto {
  @Field.email({
    description: 'Address that people write to.',
    example: 'support@example.com',
  })
  address: string;

  @Field.string({
    description: "Sender's name of answers.",
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
    description: 'Domains whose automatic mails open tickets too; their subdomains are trusted with them.',
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

  @Field.boolean(ACTIVE)
  active?: boolean;
}

export class UpdateDeskMailboxDto extends partialOf(CreateDeskMailboxDto, { omit: ['project_id', 'mode'] }) {}

/** An address whose mails become tickets. */
export class DeskMailboxDto extends DeskConfiguredDto {
  @Field.constant('desk_mailbox')
  object: string;

  @Field.email({
    description: 'Address that people write to.',
    example: 'support@example.com',
  })
  address: string;

  @Field.string({
    description: "Sender's name of answers.",
    example: 'Support',
    maxLength: 100,
    nullable: true,
  })
  name: string | null;

  @Field.uuid({
    description: 'Queue of its tickets.',
    example: EXAMPLE.queue,
  })
  queue_id: string;

  @Field.oneOf(MODES, {
    description: 'Mails to a test mailbox become test tickets.',
    example: 'live',
  })
  mode: Mode;

  @Field.string({
    description: 'Domains whose automatic mails open tickets too.',
    example: [],
    maxLength: 253,
    list: { maxItems: 50 },
  })
  trusted_domains: string[];

  @Field.boolean({
    description: "Whether a new ticket's requester gets its number by mail.",
    example: true,
  })
  acknowledge: boolean;

  @Field.boolean({
    description: 'Whether it accepts mails.',
    example: true,
  })
  active: boolean;

  @Field.string({
    description: 'Where the mail server posts mails; shown once, when the mailbox is created or its token renewed.',
    example: null,
    nullable: true,
    maxLength: 2_000,
  })
  delivery_url: string | null;

  static from(this: void, mailbox: DeskMailbox, delivery_url: string | null = null): DeskMailboxDto {
    const { address, name, queue_id, mode, trusted_domains, acknowledge, active } = mailbox;
    return { object: 'desk_mailbox', ...base(mailbox), address, name, queue_id, mode, trusted_domains, acknowledge, active, delivery_url };
  }
}

export class UpdateDeskSettingsDto {
  @Field.integer({
    description: 'Days from solving to closing a ticket.',
    example: 4,
    minimum: 1,
    maximum: 28,
    required: false,
  })
  close_after_days?: number;

  @Field.boolean({
    description: 'Whether requesters are asked to rate solved tickets.',
    example: true,
    required: false,
  })
  ask_for_rating?: boolean;
}

/** The settings of a project. */
export class DeskSettingsDto extends DeskConfiguredDto {
  @Field.constant('desk_settings')
  object: string;

  @Field.integer({
    description: 'Days from solving to closing a ticket.',
    example: 4,
    minimum: 1,
    maximum: 28,
  })
  close_after_days: number;

  @Field.boolean({
    description: 'Whether requesters are asked to rate solved tickets.',
    example: true,
  })
  ask_for_rating: boolean;

  static from(this: void, settings: DeskSettings): DeskSettingsDto {
    const { close_after_days, ask_for_rating } = settings;
    return { object: 'desk_settings', ...base(settings), close_after_days, ask_for_rating };
  }
}

const OF_PROJECT = { description: 'Only of this project.', example: EXAMPLE.project, required: false };

@Listing({
  sort: ['name', 'created_at'],
  defaultSort: 'name',
})
export class BusinessHoursQuery extends LookupQuery {
  @Field.uuid(OF_PROJECT)
  project_id?: string;
}

@Listing({
  sort: ['position', 'created_at'],
  defaultSort: 'position',
})
export class SlaPoliciesQuery extends LookupQuery {
  @Field.uuid(OF_PROJECT)
  project_id?: string;

  @Filter.boolean({
    description: 'Only active ones, or only others.',
    example: true,
  })
  active?: boolean;
}

@Listing({
  sort: ['address', 'created_at'],
  defaultSort: 'address',
})
export class DeskMailboxesQuery extends LookupQuery {
  @Field.uuid(OF_PROJECT)
  project_id?: string;

  @Filter.oneOf(MODES, {
    description: 'Only of this mode.',
    example: ['live'],
  })
  mode?: Mode[];
}
