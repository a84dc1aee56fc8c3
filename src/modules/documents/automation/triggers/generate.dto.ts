import { bothOf, Field, Filter, Listing, ListQuery, pickOf, ResourceDto, responseOf, shownOf } from '../../../../kit/index.js';
import type { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { EVENT_TYPE } from './triggers.dto.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const TRIGGER = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e10';
const EVENT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e20';
const DOCUMENT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20';

/** An event sent by an API client. */
export class GenerateDto {
  @Field.string({
    description: "Your own, as in the triggers; the suite's need the write scope of their module.",
    example: 'shipment.arrived',
    pattern: EVENT_TYPE,
    maxLength: 100,
  })
  event_type: string;

  @Field.map({
    description: 'Event data that paths of triggers refer to.',
    example: { shipment: { name: 'Pallet 7', boxes: 12 } },
  })
  payload: Record<string, unknown>;

  @Field.uuid({
    description: 'Default: of key, payload or trigger, else the default.',
    example: PROJECT,
    required: false,
  })
  project_id?: string;
}

/** The result of one trigger. */
export class GenerationResultDto {
  @Field.uuid({
    description: 'The trigger.',
    example: TRIGGER,
  })
  trigger_id: string;

  @Field.uuid({
    description: 'Project it ran in; null if there was none.',
    example: PROJECT,
    nullable: true,
  })
  project_id: string | null;

  @Field.oneOf(['completed', 'failed'], {
    description: 'failed: nothing was created.',
    example: 'completed',
  })
  status: AuditEntry['status'];

  @Field.uuid({
    description: 'The created document.',
    example: DOCUMENT,
    nullable: true,
  })
  document_id: string | null;

  @Field.string({
    description: 'Why it failed.',
    example: 'type has no published version',
    nullable: true,
    maxLength: 10_000,
  })
  error: string | null;

  static from(this: void, entry: AuditEntry): GenerationResultDto {
    return { ...responseOf(GenerationResultDto, entry), trigger_id: entry.trigger_id as string };
  }
}

/** The results of an event. */
export class GenerationDto extends shownOf(GenerateDto, { event_type: 'Type of the event.' }) {
  @Field.constant('generation')
  object: string;

  @Field.uuid({
    description: 'Id of the event, under which its runs are recorded.',
    example: EVENT,
  })
  event_id: string;

  @Field.integer({
    description: 'Number of matching triggers.',
    example: 1,
    minimum: 0,
  })
  matched: number;

  @Field.object(() => GenerationResultDto, {
    description: 'One result per trigger.',
    example: undefined,
    list: { maxItems: 10_000, repeats: true },
  })
  results: GenerationResultDto[];
}

/** The record of one run of a trigger. */
export class GenerationRunDto extends bothOf(
  ResourceDto,
  bothOf(
    pickOf(GenerationResultDto, ['trigger_id', 'project_id', 'status', 'document_id', 'error']),
    shownOf(GenerationDto, { event_id: 'The event.', event_type: true }),
  ),
) {
  @Field.constant('generation_run')
  object: string;

  @Field.string({
    description: 'Steps that were skipped or adjusted.',
    example: ['auto_finalize was skipped: the type now requires approval.'],
    list: { maxItems: 20, repeats: true },
  })
  warnings: string[];

  static from(this: void, entry: AuditEntry): GenerationRunDto {
    const { event_type, warnings } = entry.detail as Pick<GenerationRunDto, 'event_type' | 'warnings'>;
    const { trigger_id, event_id } = entry as { trigger_id: string; event_id: string };
    return { ...responseOf(GenerationRunDto, entry), trigger_id, event_id, event_type, warnings };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
  unindexed: {
    trigger_id: 'A trigger has a large part of the runs.',
    event_id: 'An event has runs of the same time only.',
  },
})
export class GenerationRunsQuery extends ListQuery {
  @Filter.oneOf(['completed', 'failed'], {
    description: 'Only runs with this status.',
    example: ['failed'],
  })
  status?: AuditEntry['status'][];

  @Filter.uuid({
    description: 'Only runs of these triggers.',
    example: [TRIGGER],
  })
  trigger_id?: string[];

  @Filter.uuid({
    description: 'Only runs of these events.',
    example: [EVENT],
  })
  event_id?: string[];

  @Filter.uuid({
    description: 'Only runs that created these documents.',
    example: [DOCUMENT],
  })
  document_id?: string[];
}
