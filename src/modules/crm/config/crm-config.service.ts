import { Injectable } from '@nestjs/common';
import { CommonErrors, DomainError, Store, type Ctx, type Tx } from '../../../kit/index.js';
import { CrmCustomField } from '../custom-fields/crm-custom-field.entity.js';
import { CrmPipeline } from '../pipelines/crm-pipeline.entity.js';
import { CrmSettings } from './crm-settings.entity.js';
import { CrmStage } from '../pipelines/crm-stage.entity.js';
import type { CustomFieldResource } from '../custom-fields/custom-fields.js';
import { LeadAssignmentRule } from '../assignment/lead-assignment-rule.entity.js';
import { LeadSource } from './lead-source.entity.js';
import type { PipelineKind } from '../pipelines/stage-kind.js';

/** The CRM configuration of one project. */
export interface ProjectConfig {
  pipelines: readonly CrmPipeline[];
  /** In the order of the boards. */
  stages: readonly CrmStage[];
  sources: readonly LeadSource[];
  customFields: readonly CrmCustomField[];
  /** In the order of evaluation. */
  rules: readonly LeadAssignmentRule[];
  defaultCountry: string | null;
}

/** How long another process may use the old configuration after a change; this process sees a change at once. */
const TTL_MS = 5_000;
const MAX_CACHED_PROJECTS = 10_000;
const MAX_LISTED_CHOICES = 20;

/** Caches the configuration of projects, since nearly every write needs it. The database's constraints catch stale reads. */
@Injectable()
export class CrmConfig {
  private readonly cache = new Map<string, { config: ProjectConfig; expiresAt: number }>();
  /** The configuration that a transaction has read again after an error. */
  private readonly rereads = new WeakMap<object, { projectId: string; changes: number; config: Promise<ProjectConfig> }>();
  /** Incremented by `invalidate`, so that a read that began before a change does not cache the old rows. */
  private changes = 0;

  constructor(private readonly store: Store) {}

  /** Outside a transaction. */
  read(ctx: Ctx, projectId: string): Promise<ProjectConfig> {
    return this.of({ list: (entity, where) => this.store.list(ctx, entity, where) }, projectId);
  }

  /** Reads on the transaction's connection: waiting for a second one while holding the first could starve the pool. */
  async of(tx: Pick<Tx, 'list'>, projectId: string): Promise<ProjectConfig> {
    const cached = this.cache.get(projectId);
    return cached && cached.expiresAt > Date.now() ? cached.config : this.readNow(tx, projectId);
  }

  /**
   * Runs the decision with the cached configuration. The cache may be stale, so a rejection is decided again with the
   * current configuration. A transaction reads that only once, because every row of an import may be invalid.
   */
  async decide<R>(tx: Pick<Tx, 'list'>, projectId: string, decision: (config: ProjectConfig) => R): Promise<R> {
    const config = await this.of(tx, projectId);
    try {
      return decision(config);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const fresh = await this.fresh(tx, projectId);
      if (fresh === config) throw error;
      return decision(fresh);
    }
  }

  /** A change of the configuration; changes of one project run one at a time, so that each sees the one before. */
  change<R>(ctx: Ctx, projectId: string, change: (tx: Tx) => Promise<R>): Promise<R> {
    return this.store.write(ctx, async (tx) => {
      await tx.mutex(`crm configuration ${projectId}`);
      // now for the rest of this transaction, and after the commit for all others
      tx.afterCommit(() => this.invalidate(projectId));
      const changed = await change(tx);
      this.invalidate(projectId);
      return changed;
    });
  }

  private fresh(tx: Pick<Tx, 'list'>, projectId: string): Promise<ProjectConfig> {
    const reread = this.rereads.get(tx);
    if (reread?.projectId === projectId && reread.changes === this.changes) return reread.config;
    const config = this.readNow(tx, projectId);
    this.rereads.set(tx, { projectId, changes: this.changes, config });
    config.catch(() => this.rereads.delete(tx));
    return config;
  }

  private async readNow(tx: Pick<Tx, 'list'>, projectId: string): Promise<ProjectConfig> {
    const before = { changes: this.changes, expiresAt: Date.now() + TTL_MS };
    const config = await readConfig(tx, projectId);
    if (before.changes !== this.changes) return config;
    if (this.cache.size >= MAX_CACHED_PROJECTS) this.cache.clear();
    this.cache.set(projectId, { config, expiresAt: before.expiresAt });
    return config;
  }

  private invalidate(projectId: string): void {
    this.changes++;
    this.cache.delete(projectId);
  }
}

async function readConfig(tx: Pick<Tx, 'list'>, project_id: string): Promise<ProjectConfig> {
  const [pipelines, stages, sources, customFields, rules, settings] = await Promise.all([
    tx.list(CrmPipeline, { project_id }),
    tx.list(CrmStage, { project_id }),
    tx.list(LeadSource, { project_id }),
    tx.list(CrmCustomField, { project_id }),
    tx.list(LeadAssignmentRule, { project_id }),
    tx.list(CrmSettings, { project_id }),
  ]);
  return {
    pipelines,
    sources,
    customFields,
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

export function customFieldsOf({ customFields }: ProjectConfig, resource: CustomFieldResource): CrmCustomField[] {
  return customFields.filter((field) => field.resource === resource);
}

/** Lists the valid choices when they are few, because an import may report the error in ten thousand rows. */
function invalidChoice(param: string, message: string, choices: readonly { id: string; name: string }[]): DomainError {
  if (choices.length > MAX_LISTED_CHOICES) return CommonErrors.validationFailed({ param, message });
  return CommonErrors.validationFailed({
    param,
    message: `${message}: ${choices.map(({ id, name }) => `${name} is ${id}`).join(', ')}`,
    allowed: choices.map(({ id }) => id),
  });
}
