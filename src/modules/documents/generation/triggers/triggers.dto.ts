import { Field, Filter, Listing, ListQuery, partialOf, ResourceDto } from '../../../../kit/index.js';
import type { GenerationTrigger } from './generation-trigger.entity.js';
import type { SourceMap } from '../mapping/source-map.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const TYPE = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c10';
/** As events are named. */
export const EVENT_TYPE = '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+$';
const SOURCES =
  'By field of the document type: a path into the event such as "deal.amount"; {"path", "default", "transform"}, transform being string, number, date, upper or lower; or {"const": ...}. What the event does not say is left out.';

/** The body that creates a trigger. */
export class CreateTriggerDto {
  @Field.string({
    description: 'Name.',
    example: 'Agreement for each won deal',
    maxLength: 100,
  })
  name: string;

  @Field.string({
    description:
      "Type of the events that it listens to: one of the suite's own, from the list of event types, or one of yours, which POST /generate sends.",
    example: 'deal.won',
    pattern: EVENT_TYPE,
    maxLength: 100,
  })
  event_type: string;

  @Field.uuid({ description: 'Type of the documents that it makes.', example: TYPE })
  document_type_id: string;

  @Field.uuid({
    description: "Project whose events it listens to; left out, every project's, and the document belongs to the event's project.",
    example: PROJECT,
    required: false,
    nullable: true,
  })
  project_id?: string | null;

  @Field.string({
    description:
      "Title of the documents: text with paths such as {{deal.name}}. A path starts with the first word of the event's type or with a member of the event itself.",
    example: 'Agreement: {{deal.name}}',
    maxLength: 500,
  })
  title_template: string;

  @Field.map({
    description: SOURCES,
    example: { amount: 'deal.amount', signed_in: { const: 'Berlin' } },
    required: false,
    default: {},
  })
  source_map?: SourceMap;

  @Field.boolean({
    description: 'Whether the document is submitted at once.',
    example: true,
    required: false,
    default: false,
  })
  auto_submit?: boolean;

  @Field.boolean({
    description: 'Whether the document is finalized at once; not for types that require approval.',
    example: false,
    required: false,
    default: false,
  })
  auto_finalize?: boolean;

  @Field.boolean({
    description: 'Whether it runs.',
    example: true,
    required: false,
    default: true,
  })
  active?: boolean;
}

/** The merge patch of a trigger; the source map is merged field by field, null takes one out. */
export class UpdateTriggerDto extends partialOf(CreateTriggerDto) {}

/** What makes documents of events. */
export class TriggerDto extends ResourceDto {
  @Field.constant('generation_trigger')
  object: string;

  @Field.string({ description: 'Name.', example: 'Agreement for each won deal' })
  name: string;

  @Field.string({ description: 'Type of the events that it listens to.', example: 'deal.won' })
  event_type: string;

  @Field.uuid({ description: 'Type of the documents that it makes.', example: TYPE })
  document_type_id: string;

  @Field.uuid({
    description: "Project whose events it listens to; null for every project's.",
    example: PROJECT,
    nullable: true,
  })
  project_id: string | null;

  @Field.string({
    description: 'Title of the documents.',
    example: 'Agreement: {{deal.name}}',
    maxLength: 500,
  })
  title_template: string;

  @Field.map({ description: SOURCES, example: { amount: 'deal.amount' } })
  source_map: SourceMap;

  @Field.boolean({ description: 'Whether the document is submitted at once.', example: true })
  auto_submit: boolean;

  @Field.boolean({ description: 'Whether the document is finalized at once.', example: false })
  auto_finalize: boolean;

  @Field.boolean({ description: 'Whether it runs.', example: true })
  active: boolean;

  static from(this: void, trigger: GenerationTrigger): TriggerDto {
    const { id, name, event_type, document_type_id, project_id, title_template, source_map, auto_submit, auto_finalize, active, version } =
      trigger;
    return {
      object: 'generation_trigger',
      id,
      name,
      event_type,
      document_type_id,
      project_id,
      title_template,
      source_map,
      auto_submit,
      auto_finalize,
      active,
      version,
      created_at: trigger.created_at.toISOString(),
      updated_at: trigger.updated_at.toISOString(),
    };
  }
}

@Listing({ sort: ['created_at'], defaultSort: 'created_at' })
export class TriggersQuery extends ListQuery {
  @Filter.string({ description: 'Only triggers of these events.', example: ['deal.won'] })
  event_type?: string[];

  @Filter.uuid({ description: 'Only triggers that make documents of these types.', example: [TYPE] })
  document_type_id?: string[];

  @Filter.boolean({ description: 'Only triggers that run, or that do not.', example: true })
  active?: boolean;
}

/** An event that the suite itself sends to triggers. */
export class GenerationEventTypeDto {
  @Field.constant('generation_event_type')
  object: string;

  @Field.string({ description: 'What to write as event_type.', example: 'deal.won' })
  type: string;

  @Field.string({ description: 'When it happens.', example: 'A deal was won.' })
  description: string;

  /** Not named `example`: judges of OpenAPI take what has a type and an example for a schema. */
  @Field.map({ description: 'What paths reach into, with values for an example.', example: { deal: { title: 'Annual licence' } } })
  payload: Record<string, unknown>;
}

@Listing({ sort: ['type'], defaultSort: 'type' })
export class GenerationEventTypesQuery extends ListQuery {}
