import { Injectable } from '@nestjs/common';
import { CachedProjectConfig, CommonErrors, Store, type DomainError, type RowReader } from '../../../kit/index.js';
import { CrmPipeline } from '../pipelines/crm-pipeline.entity.js';
import { CrmSettings } from './crm-settings.entity.js';
import { CrmStage } from '../pipelines/crm-stage.entity.js';
import { LeadAssignmentRule } from '../assignment/lead-assignment-rule.entity.js';
import { LeadSource } from './lead-source.entity.js';
import type { PipelineKind } from '../pipelines/stage-kind.js';

/** The CRM configuration of one project. */
export interface ProjectConfig {
  pipelines: readonly CrmPipeline[];
  /** In the order of the boards. */
  stages: readonly CrmStage[];
  sources: readonly LeadSource[];
  /** In the order of evaluation. */
  rules: readonly LeadAssignmentRule[];
  defaultCountry: string | null;
}

const MAX_LISTED_CHOICES = 20;

/** The configuration of projects, from memory. */
@Injectable()
export class CrmConfig extends CachedProjectConfig<ProjectConfig> {
  constructor(store: Store) {
    super(store, 'crm configuration');
  }

  protected load(rows: RowReader, projectId: string): Promise<ProjectConfig> {
    return readConfig(rows, projectId);
  }
}

async function readConfig(tx: RowReader, project_id: string): Promise<ProjectConfig> {
  const [pipelines, stages, sources, rules, settings] = await Promise.all([
    tx.list(CrmPipeline, { project_id }),
    tx.list(CrmStage, { project_id }),
    tx.list(LeadSource, { project_id }),
    tx.list(LeadAssignmentRule, { project_id }),
    tx.list(CrmSettings, { project_id }),
  ]);
  return {
    pipelines,
    sources,
    stages: stages.sort(byPosition),
    rules: rules.sort(byPosition),
    defaultCountry: settings[0]?.default_country ?? null,
  };
}

function byPosition(a: { position: number }, b: { position: number }): number {
  return a.position - b.position;
}

/** The pipeline with this id, or the project's default of the kind. */
export function requirePipeline({ pipelines }: ProjectConfig, kind: PipelineKind, id: string | undefined): CrmPipeline {
  const ofKind = pipelines.filter((pipeline) => pipeline.kind === kind);
  const found = ofKind.find((pipeline) => (id === undefined ? pipeline.is_default : pipeline.id === id));
  if (found) return found;
  throw invalidChoice(
    'pipeline_id',
    id === undefined
      ? `pipeline_id is required, because the project has no default ${kind} pipeline`
      : `pipeline_id must be a ${kind} pipeline of the project`,
    ofKind,
  );
}

/** The stage with this id, which must be in the pipeline, or the pipeline's first stage. `param` is its name in the API. */
export function requireStage(config: ProjectConfig, pipelineId: string, id: string | undefined, param: 'status_id' | 'stage_id'): CrmStage {
  const stages = stagesOf(config, pipelineId);
  const found = id === undefined ? stages[0] : stages.find((stage) => stage.id === id);
  if (found) return found;
  throw invalidChoice(
    param,
    id === undefined ? `${param} is required, because the pipeline has no stages` : `${param} must belong to the pipeline ${pipelineId}`,
    stages,
  );
}

/** The target stage of a move: in the given pipeline, or in the current one. Without a stage it is the pipeline's first. */
export function requireMove(
  config: ProjectConfig,
  kind: PipelineKind,
  current: string,
  pipelineId: string | undefined,
  stageId: string | undefined,
  param: 'status_id' | 'stage_id',
): CrmStage {
  if (pipelineId !== undefined) return requireStage(config, requirePipeline(config, kind, pipelineId).id, stageId, param);
  return requireStage(config, current, stageId, param);
}

/** A pipeline's stages in the order of the board. */
export function stagesOf({ stages }: ProjectConfig, pipelineId: string): CrmStage[] {
  return stages.filter((stage) => stage.pipeline_id === pipelineId);
}

export function requireSource({ sources }: ProjectConfig, id: string | null | undefined): void {
  if (id === undefined || id === null || sources.some((source) => source.id === id)) return;
  throw invalidChoice('source_id', 'source_id must be a source of the project', sources);
}

/** Lists the valid choices when they are few, because an import may report the error in ten thousand rows. */
function invalidChoice(param: string, message: string, choices: readonly { id: string; name: string }[]): DomainError {
  if (choices.length > MAX_LISTED_CHOICES) return CommonErrors.validationFailed({ param, message, ofProject: true });
  return CommonErrors.validationFailed({
    param,
    message: `${message}: ${choices.map(({ id, name }) => `${name} is ${id}`).join(', ')}`,
    allowed: choices.map(({ id }) => id),
    ofProject: true,
  });
}
