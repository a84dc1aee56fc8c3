import { Field, field, Filter, Listing, ListQuery, partialOf } from '../../../kit/index.js';
import { EventFieldsDto } from '../event-views/calendar-event.dto.js';
import { NewInviteeDto } from '../invitees/invitees.dto.js';
import { EXAMPLE } from '../model/core/example-ids.js';
import { OR_DAY } from '../time/zone-time.js';
import { EVENT_STATUSES, type EventStatus } from '../model/records/event.entity.js';

const SCOPES = ['this', 'following', 'all'] as const;
export type Scope = (typeof SCOPES)[number];
export const VIEWS = ['instances', 'series'] as const;

const APPLY_TO = 'this instance only (the default for the id of an instance), this and the following ones, or all.';

export class CreateEventDto extends EventFieldsDto {
  @Field.uuid({
    description: 'Calendar, from list_calendars.',
    example: EXAMPLE.calendar,
  })
  calendar_id: string;

  @Field.string({
    description:
      'Start, unless it is all-day: an RFC 3339 time with an offset, or a local time such as 2027-03-29T09:00, which stays ' +
      'at that time of day in the time zone.',
    example: '2027-03-29T09:00:00+02:00',
    inSamples: true,
    maxLength: 40,
    required: false,
  })
  start_at?: string;

  @Field.string({
    description: 'End, in the same form.',
    example: '2027-03-29T10:00:00+02:00',
    inSamples: true,
    maxLength: 40,
    required: false,
  })
  end_at?: string;

  @Field.date({
    description: 'First day of an all-day event.',
    example: '2027-03-29',
    required: false,
  })
  start_on?: string;

  @Field.date({
    description: 'The day after the last one of an all-day event.',
    example: '2027-03-30',
    required: false,
  })
  end_on?: string;

  @Field.object(() => NewInviteeDto, {
    description: 'People to invite; each gets an invitation by mail.',
    example: undefined,
    list: { maxItems: 50, repeats: true },
    required: false,
  })
  invitees?: NewInviteeDto[];
}

export class UpdateEventDto extends partialOf(CreateEventDto, { omit: ['calendar_id', 'invitees'] }) {
  @Field.oneOf(SCOPES, {
    description: APPLY_TO,
    example: 'this',
    required: false,
  })
  apply_to?: Scope;
}

export class DeleteEventQuery {
  @Field.oneOf(SCOPES, {
    description: APPLY_TO,
    example: 'this',
    required: false,
  })
  apply_to?: Scope;
}

@Listing({
  sort: ['start_at', 'updated_at'],
  defaultSort: 'start_at',
  search: 'search',
  searched: 'title and location',
  customFields: 'event',
  customFieldsOf: 'event_id',
  unindexed: {
    updated_at: 'Occurrences are read of a window of time, which has few.',
    resource_ids: 'A calendar has a large part of its events with each of its resources.',
  },
})
export class CalendarEventsQuery extends ListQuery {
  @Filter.custom({
    kind: 'string',
    maxLength: 40,
    description: `Only instances that end after this time: ${OR_DAY}; now if omitted. Not with view=series.`,
    example: '2027-03-01T00:00:00Z',
  })
  from?: string;

  @Filter.custom({
    kind: 'string',
    maxLength: 40,
    description:
      'Only instances that start before this time or the end of this day, at most 366 days after from; 31 days if omitted. ' +
      'Not with view=series.',
    example: '2027-04-01T00:00:00Z',
  })
  to?: string;

  @field({
    kind: 'enum',
    values: VIEWS,
    description:
      'instances: single events and each instance of a series, by start_at. series: single events and series as a whole, ' +
      'of all times, by updated_at; use it with updated_after to synchronize.',
    example: 'instances',
    default: 'instances',
    required: false,
    filter: { column: 'view', operator: 'custom' },
  })
  view?: (typeof VIEWS)[number];

  @Filter.oneOf(EVENT_STATUSES, {
    description: 'Only events of these statuses.',
    example: ['confirmed'],
  })
  status?: EventStatus[];

  @Filter.uuid({
    description: 'Only events that use one of these resources.',
    example: [EXAMPLE.resource],
    column: 'resource_ids',
    overlaps: true,
  })
  resource_id?: string[];
}
