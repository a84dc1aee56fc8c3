import { bothOf, Field, Filter, Listing, LookupQuery, partialOf, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/core/example-ids.js';
import { RESOURCE_KINDS, type Resource, type ResourceKind } from '../model/setup/resource.entity.js';

@Listing({
  sort: ['name', 'created_at'],
  defaultSort: 'name',
})
export class CalendarResourcesQuery extends LookupQuery {
  @Filter.oneOf(RESOURCE_KINDS, {
    description: 'Only resources of these kinds.',
    example: ['room'],
  })
  kind?: ResourceKind[];

  @Filter.boolean({
    description: 'Only resources that new events can use, or only others.',
    example: true,
  })
  active?: boolean;

  @Filter.from('integer', {
    description: 'Only resources that hold at least so many people.',
    example: 4,
    column: 'seats',
  })
  min_seats?: number;
}

export class CreateCalendarResourceDto {
  @Field.string({
    summary: true,
    description: 'Name, unique in the calendar.',
    example: 'Room Ada',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.oneOf(RESOURCE_KINDS, {
    summary: true,
    description: 'What it is.',
    example: 'room',
  })
  kind: ResourceKind;

  @Field.integer({
    summary: true,
    description: 'How many events can use it at once; not the number of chairs.',
    example: 1,
    minimum: 1,
    maximum: 1000,
    default: 1,
    required: false,
  })
  capacity?: number;

  @Field.integer({
    description: 'Number of people it holds, for information.',
    example: 8,
    minimum: 1,
    maximum: 100000,
    nullable: true,
    required: false,
  })
  seats?: number | null;

  @Field.integer({
    description: 'Minutes kept free before each use, in addition to those of the calendar. Existing uses keep theirs.',
    example: 0,
    minimum: 0,
    maximum: 1440,
    default: 0,
    required: false,
  })
  buffer_before_minutes?: number;

  @Field.integer({
    description: 'Minutes kept free after each use, in addition to those of the calendar. Existing uses keep theirs.',
    example: 15,
    minimum: 0,
    maximum: 1440,
    default: 0,
    required: false,
  })
  buffer_after_minutes?: number;

  @Field.boolean({
    summary: true,
    description: 'Whether new events can use it.',
    example: true,
    default: true,
    required: false,
  })
  active?: boolean;

  @Field.uuid({
    description: 'For a person: the member, whose personal calendars and appointments make the resource busy.',
    example: EXAMPLE.member,
    nullable: true,
    required: false,
  })
  member_id?: string | null;
}

export class UpdateCalendarResourceDto extends partialOf(CreateCalendarResourceDto) {}

/** Something that events use: a room, a device, a person. */
export class CalendarResourceDto extends bothOf(
  ResourceDto,
  shownOf(CreateCalendarResourceDto, {
    name: true,
    kind: true,
    capacity: true,
    seats: true,
    buffer_before_minutes: 'Minutes kept free before each use.',
    buffer_after_minutes: 'Minutes kept free after each use.',
    active: true,
    member_id: {
      description: 'The member that a person is: the events of their personal calendars and all their appointments make it busy.',
      example: null,
    },
  }),
) {
  @Field.constant('calendar_resource')
  object: string;

  @Field.uuid({
    description: 'Project of the resource.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.uuid({
    summary: true,
    description: 'Calendar that the resource is set up in.',
    example: EXAMPLE.calendar,
  })
  calendar_id: string;

  static from(this: void, resource: Resource): CalendarResourceDto {
    return responseOf(CalendarResourceDto, resource);
  }
}
