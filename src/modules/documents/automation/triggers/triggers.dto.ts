import { bothOf, Field, Filter, Listing, ListQuery, partialOf, ResourceDto, responseOf, shownOf } from '../../../../kit/index.js';
import { OPERAND, OPERATORS, type Operator } from '../../model/types/approval-route.dto.js';
import { StandardSendingDto } from '../../model/types/sending.dto.js';
import type { GenerationTrigger } from './generation-trigger.entity.js';
import type { SourceMap } from '../mapping/source-map.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const TYPE = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c10';
/** Pattern of event types. */
export const EVENT_TYPE = '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+$';
const SOURCES =
  'Sources by field of the document type: a path into the event such as "deal.amount"; {"path", "default", "transform"} with ' +
  'transform string, number, date, upper or lower (an integer takes no number with a decimal point); {"path", "columns"} for a ' +
  'table, with a path within each entry of the list by column; or {"const": ...}. Values missing in the event are omitted. Paths into ' +
  "the suite's own events are checked against their schema.";

/** A condition on one value of the event. */
export class TriggerConditionDto {
  @Field.string({
    description: 'Path into the event, as in the source map.',
    example: 'form.slug',
    maxLength: 200,
  })
  path: string;

  @Field.oneOf(OPERATORS, {
    description: 'How the value is compared; exists takes true or false.',
    example: 'eq',
  })
  op: Operator;

  @Field.map({
    description: `The value to compare with, as ${OPERAND}; a list for in.`,
    example: { value: 'supplier-application' },
    looksLike: OPERAND,
  })
  operand: { value?: unknown };
}

const CONDITIONS =
  'Conditions on the event; the trigger runs only if all hold. For example [{"path": "form.slug", "op": "eq", "operand": ' +
  '{"value": "supplier-application"}}] or [{"path": "deal.amount", "op": "gte", "operand": {"value": 10000}}].';

/** The request body to create a trigger. */
export class CreateTriggerDto {
  @Field.string({
    description: 'Name.',
    example: 'Agreement for each won deal',
    maxLength: 100,
  })
  name: string;

  @Field.string({
    description: "Type of the events it runs for: any of the suite's, from the list of event types, or your own, sent with POST /generate.",
    example: 'deal.won',
    pattern: EVENT_TYPE,
    maxLength: 100,
  })
  event_type: string;

  @Field.uuid({
    description: 'Type of the documents it creates.',
    example: TYPE,
  })
  document_type_id: string;

  @Field.uuid({
    description: "Project whose events it runs for; omit it for all projects. The document then belongs to the event's project.",
    example: PROJECT,
    required: false,
    nullable: true,
  })
  project_id?: string | null;

  @Field.string({
    description:
      'Title of the documents: text with paths such as {{deal.name}}. A path starts with the first word of the event type ' +
      'or with a member of the event.',
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

  @Field.object(() => TriggerConditionDto, {
    description: CONDITIONS,
    example: undefined,
    required: false,
    default: [],
    list: { maxItems: 20, repeats: true },
  })
  conditions?: TriggerConditionDto[];

  @Field.object(() => StandardSendingDto, {
    description: 'How its documents are sent, where it differs from their type.',
    example: { message: 'Thank you for your order.' },
    required: false,
    nullable: true,
  })
  sending?: StandardSendingDto | null;

  @Field.boolean({
    description: 'Whether the document is submitted immediately.',
    example: true,
    required: false,
    default: false,
  })
  auto_submit?: boolean;

  @Field.boolean({
    description: 'Whether the document is finalized immediately; not for types that require approval.',
    example: false,
    required: false,
    default: false,
  })
  auto_finalize?: boolean;

  @Field.boolean({
    description: 'Whether the trigger is active.',
    example: true,
    required: false,
    default: true,
  })
  active?: boolean;
}

/** The merge patch of a trigger; the source map is merged by field, null removes one. */
export class UpdateTriggerDto extends partialOf(CreateTriggerDto) {}

/** A generation trigger. */
export class TriggerDto extends bothOf(
  ResourceDto,
  shownOf(CreateTriggerDto, {
    name: true,
    event_type: 'Type of the events it runs for.',
    document_type_id: true,
    project_id: 'Project whose events it runs for; null for all projects.',
    title_template: 'Title of the documents.',
    source_map: true,
    conditions: 'Conditions on the event; the trigger runs only if all hold.',
    sending: true,
    auto_submit: true,
    auto_finalize: 'Whether the document is finalized immediately.',
    active: true,
  }),
) {
  @Field.constant('generation_trigger')
  object: string;

  static from(this: void, trigger: GenerationTrigger): TriggerDto {
    return responseOf(TriggerDto, trigger);
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
  unindexed: {
    event_type: 'An organization has few triggers.',
    document_type_id: 'An organization has few triggers.',
  },
})
export class TriggersQuery extends ListQuery {
  @Filter.string({
    description: 'Only triggers for these event types.',
    example: ['deal.won'],
  })
  event_type?: string[];

  @Filter.uuid({
    description: 'Only triggers that create documents of these types.',
    example: [TYPE],
  })
  document_type_id?: string[];

  @Filter.boolean({
    description: 'Only active or only inactive triggers.',
    example: true,
  })
  active?: boolean;
}

/** An event type that the suite itself emits. */
export class GenerationEventTypeDto {
  @Field.constant('generation_event_type')
  object: string;

  @Field.string({
    description: 'Value for event_type.',
    example: 'deal.won',
  })
  type: string;

  @Field.string({
    description: 'When it happens.',
    example: 'A deal was won.',
  })
  description: string;

  /** Not named `example`: OpenAPI validators treat an object with type and example as a schema. */
  @Field.map({
    description: 'Sample event data that paths are resolved in.',
    example: { deal: { title: 'Annual licence' } },
  })
  payload: Record<string, unknown>;
}

@Listing({
  sort: ['type'],
  defaultSort: 'type',
})
export class GenerationEventTypesQuery extends ListQuery {}
