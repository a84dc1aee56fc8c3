import { bothOf, Field, Filter, Listing, LookupQuery, partialOf, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/core/example-ids.js';
import { FIELD_RULES, type EventTemplate, type FieldRule } from '../model/setup/event-template.entity.js';

const SCHEMA = { type: 'object', properties: { agenda: { type: 'string', maxLength: 2000 } }, required: ['agenda'] };

function rule(field: string, example: FieldRule): PropertyDecorator {
  return Field.oneOf(FIELD_RULES, { description: `Whether events have a ${field}; hidden: it must be omitted.`, example });
}

/** Which of the standard fields events have. */
export class CoreFieldsDto {
  @Field.oneOf(['required'], {
    description: 'Every event has a title.',
    example: 'required',
  })
  title: FieldRule;

  @rule('location', 'optional')
  location: FieldRule;

  @rule('description', 'optional')
  description: FieldRule;
}

@Listing({
  sort: ['name', 'created_at'],
  defaultSort: 'name',
})
export class EventTemplatesQuery extends LookupQuery {
  @Filter.custom({
    kind: 'uuid',
    description: 'Only the template of this calendar.',
    example: EXAMPLE.calendar,
  })
  calendar_id?: string;

  @Filter.uuid({
    description: 'Only templates of these projects.',
    example: [EXAMPLE.project],
  })
  project_id?: string[];
}

export class CreateEventTemplateDto {
  @Field.uuid({
    description: 'Project of the template; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.string({
    summary: true,
    description: 'Name, unique in the project.',
    example: 'Workshop',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.boolean({
    summary: true,
    description: 'true makes it the template of new calendars, instead of the current one.',
    example: false,
    required: false,
  })
  is_default?: boolean;

  @Field.object(() => CoreFieldsDto, {
    description: 'Which of the common fields events have.',
    onCreate: 'Location and description are optional if omitted.',
    example: undefined,
    required: false,
  })
  core?: CoreFieldsDto;

  @Field.map({
    description: 'JSON Schema of the metadata of events: an object of at most 50 scalars and lists of scalars.',
    onCreate: 'No metadata if omitted.',
    example: SCHEMA,
    required: false,
  })
  metadata_schema?: Record<string, unknown>;

  @Field.integer({
    summary: true,
    description: 'Usual duration of an event in minutes.',
    example: 60,
    minimum: 1,
    maximum: 44640,
    default: 60,
    required: false,
  })
  default_duration_minutes?: number;

  @Field.integer({
    description: 'Minutes before the start at which invitees are reminded by mail.',
    onCreate: 'No reminders if omitted.',
    example: [60],
    // the mail for one at the start would be late
    minimum: 1,
    maximum: 40320,
    list: { maxItems: 5 },
    required: false,
  })
  reminder_minutes?: number[];
}

export class UpdateEventTemplateDto extends partialOf(CreateEventTemplateDto, { omit: ['project_id'] }) {}

/** The fields that the events of a calendar have. */
export class EventTemplateDto extends bothOf(
  ResourceDto,
  shownOf(CreateEventTemplateDto, {
    project_id: 'Project of the template.',
    name: true,
    is_default: 'Whether new calendars have it unless they name another.',
    core: true,
    metadata_schema: 'JSON Schema of the metadata of events; other members are refused.',
    default_duration_minutes: true,
    reminder_minutes: true,
  }),
) {
  @Field.constant('event_template')
  object: string;

  @Field.uuid({
    description: 'The calendars whose events it describes.',
    example: [EXAMPLE.calendar],
    list: { maxItems: 1000 },
  })
  calendar_ids: string[];

  static from(this: void, template: EventTemplate, calendarIds: string[]): EventTemplateDto {
    return { ...responseOf(EventTemplateDto, template), calendar_ids: calendarIds };
  }
}
