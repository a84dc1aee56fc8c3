import { ActiveLookupQuery, bothOf, Field, Listing, partialOf, responseOf, shownOf } from '../../../kit/index.js';
import { ACTIVE, DeskConfiguredDto, NAME, OfProjectDto, PLACE } from '../lookups/configured.dto.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { DeskSlaPolicy } from '../model/sla-policy.entity.js';

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
export class SlaPolicyDto extends bothOf(
  DeskConfiguredDto,
  shownOf(CreateSlaPolicyDto, {
    name: true,
    position: 'The first policy that matches a ticket applies.',
    queue_ids: true,
    tags: true,
    business_hours_id: true,
    targets: true,
    pause_on_hold: 'Whether clocks pause on hold.',
    active: true,
  }),
) {
  @Field.constant('sla_policy')
  object: string;

  static from(this: void, policy: DeskSlaPolicy): SlaPolicyDto {
    return responseOf(SlaPolicyDto, policy);
  }
}

@Listing({
  sort: ['position', 'created_at'],
  defaultSort: 'position',
})
export class SlaPoliciesQuery extends ActiveLookupQuery {}
