import { bothOf, Field, partialOf, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { LIMITS, POSITIONS } from '../fields/crm-limits.js';
import { EXAMPLE } from '../fields/example-ids.js';
import type { CrmPipeline } from './crm-pipeline.entity.js';
import type { CrmStage } from './crm-stage.entity.js';
import { PIPELINE_KINDS, STAGE_KINDS, type PipelineKind, type StageKind } from './stage-kind.js';

/** A stage of a new pipeline. */
export class PipelineStageInputDto {
  @Field.string({
    summary: true,
    description: 'Name, unique in the pipeline.',
    example: 'Negotiation',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.oneOf(STAGE_KINDS, {
    summary: true,
    description: 'Its meaning; it cannot be changed later.',
    example: 'open',
  })
  kind: StageKind;
}

/** The body that creates a pipeline. */
export class CreatePipelineDto {
  @Field.uuid({
    description: 'Project of the pipeline.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.oneOf(PIPELINE_KINDS, {
    summary: true,
    description: 'Whether it is for leads or deals; it cannot be changed later.',
    example: 'deal',
  })
  kind: PipelineKind;

  @Field.string({
    summary: true,
    description: 'Name, unique among the pipelines of its kind in the project.',
    example: 'Renewals',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.boolean({
    summary: true,
    description: 'true makes it the default of its kind instead of the current default, for which false is rejected.',
    example: true,
    required: false,
    default: false,
  })
  is_default?: boolean;

  @Field.object(() => PipelineStageInputDto, {
    description: 'Its stages in board order; at least one of kind open.',
    example: [
      { name: 'Offer', kind: 'open' },
      { name: 'Renewed', kind: 'won' },
      { name: 'Ended', kind: 'lost' },
    ],
    list: { minItems: 1, maxItems: LIMITS.stages.count, repeats: true },
  })
  stages: PipelineStageInputDto[];
}

/** The merge patch of a pipeline. */
export class UpdatePipelineDto extends partialOf(CreatePipelineDto, { omit: ['project_id', 'kind', 'stages'] }) {}

/** A pipeline of leads or deals. */
export class CrmPipelineDto extends bothOf(
  ResourceDto,
  shownOf(CreatePipelineDto, {
    project_id: true,
    kind: 'Whether it is for leads or deals.',
    name: true,
    is_default: 'Whether it is used for leads or deals without a given pipeline.',
  }),
) {
  @Field.constant('pipeline')
  object: string;

  static from(this: void, pipeline: CrmPipeline): CrmPipelineDto {
    return responseOf(CrmPipelineDto, pipeline);
  }
}

/** The body that adds a stage to a pipeline. */
export class CreateStageDto extends PipelineStageInputDto {
  @Field.integer({
    description: 'Position on the board, ascending; at the end when omitted.',
    example: 3,
    required: false,
    ...POSITIONS,
  })
  position?: number;
}

/** The merge patch of a stage. Its kind cannot change, because closed deals and leads depend on it. */
export class UpdateStageDto extends partialOf(CreateStageDto, { omit: ['kind'] }) {}

/** The common fields of pipeline stages and lead statuses, which are the same rows. */
abstract class StageFieldsDto extends bothOf(
  ResourceDto,
  shownOf(PipelineStageInputDto, {
    name: true,
    kind: 'Its meaning: open, won or lost; for a lead, won is qualified and lost is unqualified.',
  }),
) {
  @Field.uuid({
    description: 'Project of the pipeline.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.uuid({
    summary: true,
    description: 'Its pipeline.',
    example: EXAMPLE.pipeline,
  })
  pipeline_id: string;

  @Field.integer({
    description: 'Position on the board, ascending.',
    example: 3,
  })
  position: number;
}

function fieldsOf({ id, project_id, pipeline_id, name, kind, position, version, created_at, updated_at }: CrmStage) {
  return {
    id,
    project_id,
    pipeline_id,
    name,
    kind,
    position,
    version,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

/** A stage of a pipeline; send its id as stage_id of a deal. */
export class CrmStageDto extends StageFieldsDto {
  @Field.constant('pipeline_stage')
  object: string;

  static from(this: void, stage: CrmStage): CrmStageDto {
    return { object: 'pipeline_stage', ...fieldsOf(stage) };
  }
}

/** A status of leads: a stage of a lead pipeline; send its id as status_id of a lead. */
export class LeadStatusDto extends StageFieldsDto {
  @Field.constant('lead_status')
  object: string;

  static from(this: void, stage: CrmStage): LeadStatusDto {
    return { object: 'lead_status', ...fieldsOf(stage) };
  }
}
