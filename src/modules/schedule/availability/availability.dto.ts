import { Field, Filter } from '../../../kit/index.js';
import { EXAMPLE } from '../model/core/example-ids.js';
import { AvailabilityOverrideDto, AvailabilityRuleDto, AvailabilitySettingsDto } from './availability-setup.dto.js';
import { OR_DAY } from '../time/zone-time.js';
import { MOST_SLOTS } from './slots.js';

/** Of an answer to a caller who sends no limit. */
export const MOST_BUSY = 5_000;
/** Of a caller who asks for no time range: two weeks can have thousands. */
export const SLOTS_UNASKED = 25;

export class AvailabilityQuery {
  @Filter.custom({
    kind: 'string',
    maxLength: 40,
    description: `Slots that start at or after this time: ${OR_DAY}; now if omitted.`,
    example: '2027-03-01T00:00:00Z',
  })
  from?: string;

  @Filter.custom({
    kind: 'string',
    maxLength: 40,
    description: 'Slots that start before this time or the end of this day, at most 62 days after from; 14 days if omitted.',
    example: '2027-03-15T00:00:00Z',
  })
  to?: string;

  @Filter.custom({
    kind: 'integer',
    minimum: 1,
    maximum: 1440,
    description: "Length of the slots in minutes; that of the calendar's event template if omitted.",
    example: 60,
  })
  duration_minutes?: number;

  @Filter.custom({
    kind: 'uuid',
    list: { maxItems: 50 },
    description: 'Only these resources of the calendar, separated by commas; all active ones if omitted.',
    example: [EXAMPLE.resource],
  })
  resource_id?: string[];

  @Filter.custom({
    kind: 'string',
    minLength: 1,
    maxLength: 64,
    description: "IANA name of the time zone of local times; the calendar's if omitted.",
    example: 'Europe/Berlin',
  })
  timezone?: string;

  @Filter.custom({
    kind: 'integer',
    minimum: 1,
    maximum: MOST_SLOTS,
    description: `The most slots and taken times to return; next_from continues. ${SLOTS_UNASKED} if neither to nor limit is sent.`,
    example: 20,
  })
  limit?: number;
}

/** A time that is taken. */
export class BusyTimeDto {
  @Field.uuid({
    description: 'Resource, which may be a person who has an appointment elsewhere; null for the whole calendar.',
    example: EXAMPLE.resource,
    nullable: true,
  })
  resource_id: string | null;

  @Field.dateTime({
    description: 'Start, UTC; with the buffers of calendar and resource.',
    example: '2027-03-29T07:00:00.000Z',
  })
  start_at: string;

  @Field.dateTime({
    description: 'End, UTC.',
    example: '2027-03-29T08:00:00.000Z',
  })
  end_at: string;
}

/** A resource that is free at one of the times. */
export class FreeResourceDto {
  @Field.uuid({
    description: 'Id, as slots name it.',
    example: EXAMPLE.resource,
  })
  id: string;

  @Field.string({
    description: 'Name.',
    example: 'Room 1',
  })
  name: string;
}

/** A free time. */
export class SlotDto {
  @Field.dateTime({
    description: 'Start, UTC.',
    example: '2027-03-29T07:00:00.000Z',
  })
  start_at: string;

  @Field.dateTime({
    description: 'End, UTC.',
    example: '2027-03-29T08:00:00.000Z',
  })
  end_at: string;

  @Field.string({
    description: 'Start in the time zone.',
    example: '2027-03-29T09:00:00',
  })
  start_local: string;

  @Field.string({
    description: 'Offset of the time zone from UTC at the start.',
    example: '+02:00',
    maxLength: 6,
  })
  utc_offset: string;

  @Field.uuid({
    description: 'The resources that are free.',
    example: [EXAMPLE.resource],
    list: { maxItems: 200 },
  })
  resource_ids: string[];

  @Field.integer({
    description: 'How many resources are free.',
    example: 1,
    minimum: 0,
  })
  resource_count: number;
}

/** When a calendar can be booked. */
export class CalendarAvailabilityDto {
  @Field.constant('calendar_availability')
  object: string;

  @Field.uuid({
    description: 'Calendar.',
    example: EXAMPLE.calendar,
  })
  calendar_id: string;

  @Field.string({
    description: 'Time zone of rules, overrides and local times.',
    example: 'Europe/Berlin',
  })
  timezone: string;

  @Field.dateTime({
    description: 'Start of the searched time range.',
    example: '2027-03-01T00:00:00.000Z',
  })
  from: string;

  @Field.dateTime({
    description: 'End of the searched time range.',
    example: '2027-03-15T00:00:00.000Z',
  })
  to: string;

  @Field.integer({
    description: 'Length of the slots.',
    example: 60,
    minimum: 1,
  })
  duration_minutes: number;

  @Field.object(() => AvailabilityRuleDto, {
    description: 'Weekly opening hours, of the resource if only one was asked for.',
    example: undefined,
    list: { maxItems: 168 },
  })
  rules: AvailabilityRuleDto[];

  @Field.object(() => AvailabilityOverrideDto, {
    description: 'Days in the time range that differ from the rules.',
    example: undefined,
    list: { maxItems: 1000 },
  })
  overrides: AvailabilityOverrideDto[];

  @Field.object(() => AvailabilitySettingsDto, {
    description: 'Which of the open times can be booked.',
    example: undefined,
  })
  settings: AvailabilitySettingsDto;

  @Field.object(() => BusyTimeDto, {
    description: 'All times that are taken and start before next_from, if there is one.',
    example: undefined,
    // 5,000 that start after `from`, and those that have begun: 200 resources are used by some at once
    list: { maxItems: 100_000 },
  })
  busy: BusyTimeDto[];

  @Field.object(() => FreeResourceDto, {
    description: 'The resources that slots name.',
    example: [],
    list: { maxItems: 200 },
  })
  resources: FreeResourceDto[];

  @Field.object(() => SlotDto, {
    description: 'Free times; none if the calendar is inactive.',
    example: undefined,
    list: { maxItems: MOST_SLOTS },
  })
  slots: SlotDto[];

  @Field.dateTime({
    description: 'Send it as from, with the same to, to get what follows; null if nothing does.',
    example: null,
    nullable: true,
  })
  next_from: string | null;
}
