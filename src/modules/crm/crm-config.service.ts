import { Injectable } from '@nestjs/common';
import { CommonErrors, DomainError, type Tx } from '../../kit/index.js';
import { CrmCustomField } from './crm-custom-field.entity.js';
import { CrmPipeline } from './crm-pipeline.entity.js';
import { CrmSettings } from './crm-settings.entity.js';
import { CrmStage } from './crm-stage.entity.js';
import type { CustomFieldResource } from './custom-fields.js';
import { LeadAssignmentRule } from './lead-assignment-rule.entity.js';
import { LeadSource } from './lead-source.entity.js';
import type { PipelineKind } from './stage-kind.js';

/** All that is configured for one project. */
export interface ProjectConfig {
  pipelines: readonly CrmPipeline[];
  /** In the order of the boards. */
  stages: readonly CrmStage[];
  sources: readonly LeadSource[];
  customFields: readonly CrmCustomField[];
  /** In the order in which they are tried. */
  rules: readonly LeadAssignmentRule[];
  defaultCountry: string | null;
}

/** How long another process may go on with what was configured before; in this process a change is seen at once. */
const FRESH_MS = 5_000;
const MOST_PROJECTS = 10_000;

/** A project's configuration from memory, since nearly every write needs it; the database's constraints have the last word. */
@Injectable()
export class CrmConfig {
  private readonly remembered = new Map<string, { config: ProjectConfig; until: number }>();
  /** Raised by `forget`, so that a read which began before a change does not bring the old rows back. */
  private changes = 0;

  /** Reads on the transaction's connection: waiting for a second one while holding the first can starve the pool. */
  async of(tx: Pick<Tx, 'list'>, projectId: string): Promise<ProjectConfig> {
    const known = this.remembered.get(projectId);
    if (known && known.until > Date.now()) return known.config;
    const before = { changes: this.changes, until: Date.now() + FRESH_MS };
    const config = await readConfig(tx, projectId);
    if (before.changes !== this.changes) return config;
    if (this.remembered.size >= MOST_PROJECTS) this.remembered.clear();
    this.remembered.set(projectId, { config, until: before.until });
    return config;
  }

  /** Decides by the configuration; a refusal by remembered rows may be out of date, so it is decided anew by fresh ones. */
  async decide<R>(tx: Pick<Tx, 'list'>, projectId: string, decision: (config: ProjectConfig) => R): Promise<R> {
    const config = await this.of(tx, projectId);
    try {
      return decision(config);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.forget(projectId);
      return decision(await this.of(tx, projectId));
    }
  }

  /** After the project's configuration was changed here. */
  forget(projectId: string): void {
    this.changes++;
    this.remembered.delete(projectId);
  }
}

async function readConfig(tx: Pick<Tx, 'list'>, project_id: string): Promise<ProjectConfig> {
  const [pipelines, stages, sources, customFields, rules, settings] = await Promise.all([
    tx.list(CrmPipeline, { project_id }), tx.list(CrmStage, { project_id }), tx.list(LeadSource, { project_id }),
    tx.list(CrmCustomField, { project_id }), tx.list(LeadAssignmentRule, { project_id }), tx.list(CrmSettings, { project_id }),
  ]);
  return { pipelines, sources, customFields, stages: stages.sort(byPosition), rules: rules.sort(byPosition), defaultCountry: settings[0]?.default_country ?? null };
}

function byPosition(a: { position: number }, b: { position: number }): number {
  return a.position - b.position;
}

/** The pipeline named, or the project's default of the kind. */
export function requirePipeline({ pipelines }: ProjectConfig, kind: PipelineKind, id: string | undefined): CrmPipeline {
  const fitting = pipelines.filter((pipeline) => pipeline.kind === kind);
  const found = fitting.find((pipeline) => (id === undefined ? pipeline.is_default : pipeline.id === id));
  if (found) return found;
  const message = id === undefined ? `pipeline_id is required, because the project has no default ${kind} pipeline` : `pipeline_id must be a ${kind} pipeline of the project`;
  throw CommonErrors.validationFailed({ param: 'pipeline_id', message: `${message}: ${named(fitting)}`, allowed: fitting.map((pipeline) => pipeline.id) });
}

/** The stage named, which must be one of the pipeline, or the pipeline's first. `param` is what callers name it by. */
export function requireStage(config: ProjectConfig, pipelineId: string, id: string | undefined, param: 'status_id' | 'stage_id'): CrmStage {
  const fitting = stagesOf(config, pipelineId);
  const found = id === undefined ? fitting[0] : fitting.find((stage) => stage.id === id);
  if (found) return found;
  const message = id === undefined ? `${param} is required, because the pipeline has no stages` : `${param} must belong to the pipeline ${pipelineId}`;
  throw CommonErrors.validationFailed({ param, message: `${message}: ${named(fitting)}`, allowed: fitting.map((stage) => stage.id) });
}

/** The stage that a move leads to: in the pipeline named, its first without a stage; else in the current one. */
export function requireMove(config: ProjectConfig, kind: PipelineKind, current: string, pipelineId: string | undefined, stageId: string | undefined, param: 'status_id' | 'stage_id'): CrmStage {
  if (pipelineId !== undefined) return requireStage(config, requirePipeline(config, kind, pipelineId).id, stageId, param);
  return requireStage(config, current, stageId, param);
}

/** A pipeline's stages in the order of the board. */
export function stagesOf({ stages }: ProjectConfig, pipelineId: string): CrmStage[] {
  return stages.filter((stage) => stage.pipeline_id === pipelineId);
}

export function requireSource({ sources }: ProjectConfig, id: string | null | undefined): void {
  if (id === undefined || id === null || sources.some((source) => source.id === id)) return;
  throw CommonErrors.validationFailed({ param: 'source_id', message: `source_id must be a source of the project: ${named(sources)}`, allowed: sources.map((source) => source.id) });
}

export function customFieldsOf({ customFields }: ProjectConfig, resource: CustomFieldResource): CrmCustomField[] {
  return customFields.filter((field) => field.resource === resource);
}

function named(items: readonly { id: string; name: string }[]): string {
  return items.map(({ id, name }) => `${name} is ${id}`).join(', ');
}
