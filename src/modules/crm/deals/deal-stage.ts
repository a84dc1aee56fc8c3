import { CommonErrors, invalid } from '../../../kit/index.js';
import { requirePipeline, requireStage, stagesOf, type ProjectConfig } from '../config/crm-config.service.js';
import type { CrmStage } from '../pipelines/crm-stage.entity.js';
import type { StageKind } from '../pipelines/stage-kind.js';

/** The stage a caller asks for: by id, by kind, or the first of a pipeline. */
export interface RequestedStage {
  pipeline_id?: string;
  stage_id?: string;
  status?: StageKind;
}

/** The stage a deal moves to, or its current one when nothing else is asked for. `current` is null for a new deal. */
export function resolveStage(
  config: ProjectConfig,
  requested: RequestedStage,
  current: { pipeline_id: string; stage_id: string; status: StageKind } | null,
): CrmStage {
  const pipelineId =
    requested.pipeline_id === undefined && current ? current.pipeline_id : requirePipeline(config, 'deal', requested.pipeline_id).id;
  const stays = current?.pipeline_id === pipelineId;
  if (requested.stage_id !== undefined) return agreeing(requireStage(config, pipelineId, requested.stage_id, 'stage_id'), requested.status);
  if (stays && (requested.status === undefined || requested.status === current.status))
    return requireStage(config, pipelineId, current.stage_id, 'stage_id');
  if (requested.status === undefined) return requireStage(config, pipelineId, undefined, 'stage_id');
  const stage = stagesOf(config, pipelineId).find(({ kind }) => kind === requested.status);
  if (!stage) throw invalid('status', `cannot be ${requested.status}: the pipeline ${pipelineId} has no stage of that kind`);
  return stage;
}

function agreeing(stage: CrmStage, status: StageKind | undefined): CrmStage {
  if (status === undefined || status === stage.kind) return stage;
  throw CommonErrors.validationFailed({
    param: 'status',
    message: `status must be ${stage.kind}, the kind of the stage ${stage.name}; send only one of stage_id and status`,
    allowed: [stage.kind],
  });
}
