import { CommonErrors } from '../../kit/index.js';
import { requirePipeline, requireStage, stagesOf, type ProjectConfig } from './crm-config.service.js';
import type { CrmStage } from './crm-stage.entity.js';
import type { StageKind } from './stage-kind.js';

/** Where a caller wants a deal: by stage, by what the stage means, by pipeline. */
export interface WantedPlace {
  pipeline_id?: string;
  stage_id?: string;
  status?: StageKind;
}

/** The stage a deal goes to, or stays in when nothing else is asked for. `current` is null for a new deal. */
export function placeOf(
  config: ProjectConfig,
  wanted: WantedPlace,
  current: { pipeline_id: string; stage_id: string; status: StageKind } | null,
): CrmStage {
  const pipelineId =
    wanted.pipeline_id === undefined && current ? current.pipeline_id : requirePipeline(config, 'deal', wanted.pipeline_id).id;
  const stays = current?.pipeline_id === pipelineId;
  if (wanted.stage_id !== undefined) return agreeing(requireStage(config, pipelineId, wanted.stage_id, 'stage_id'), wanted.status);
  if (stays && (wanted.status === undefined || wanted.status === current.status))
    return requireStage(config, pipelineId, current.stage_id, 'stage_id');
  if (wanted.status === undefined) return requireStage(config, pipelineId, undefined, 'stage_id');
  const stage = stagesOf(config, pipelineId).find(({ kind }) => kind === wanted.status);
  if (!stage)
    throw CommonErrors.validationFailed({
      param: 'status',
      message: `status cannot be ${wanted.status}: the pipeline ${pipelineId} has no stage that means it`,
    });
  return stage;
}

function agreeing(stage: CrmStage, status: StageKind | undefined): CrmStage {
  if (status === undefined || status === stage.kind) return stage;
  throw CommonErrors.validationFailed({
    param: 'status',
    message: `status must be ${stage.kind}, as the stage ${stage.name} means it; send only one of stage_id and status`,
    allowed: [stage.kind],
  });
}
