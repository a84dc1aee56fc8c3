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
const MOST_CHOICES = 20;

/** A project's configuration from memory, since nearly every write needs it; the database's constraints have the last word. */
@Injectable()
export class CrmConfig {
  private readonly remembered = new Map<string, { config: ProjectConfig; until: number }>();
  /** What transactions have read anew after a refusal. */
  private readonly readAnew = new WeakMap<object, { projectId: string; changes: number; config: Promise<ProjectConfig> }>();
  /** Raised by `forget`, so that a read which began before a change does not bring the old rows back. */
  private changes = 0;

  constructor(private readonly store: Store) {}

  /** Outside a transaction. */
  read(ctx: Ctx, projectId: string): Promise<ProjectConfig> {
    return this.of({ list: (entity, where) => this.store.list(ctx, entity, where) }, projectId);
  }

  /** Reads on the transaction's connection: waiting for a second one while holding the first can starve the pool. */
  async of(tx: Pick<Tx, 'list'>, projectId: string): Promise<ProjectConfig> {
    const known = this.remembered.get(projectId);
    return known && known.until > Date.now() ? known.config : this.readNow(tx, projectId);
  }

  /**
   * Decides by the configuration; a refusal by remembered rows may be out of date, so it is decided again by fresh ones. A
   * transaction reads them once, however much it has refused: an import may be wrong in every row.
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
      // at once for what follows in this transaction, and again when others can see the change
      tx.afterCommit(() => this.forget(projectId));
      const changed = await change(tx);
      this.forget(projectId);
      return changed;
    });
  }

  private fresh(tx: Pick<Tx, 'list'>, projectId: string): Promise<ProjectConfig> {
    const known = this.readAnew.get(tx);
    if (known?.projectId === projectId && known.changes === this.changes) return known.config;
    const config = this.readNow(tx, projectId);
    this.readAnew.set(tx, { projectId, changes: this.changes, config });
    config.catch(() => this.readAnew.delete(tx));
    return config;
  }

  private async readNow(tx: Pick<Tx, 'list'>, projectId: string): Promise<ProjectConfig> {
    const before = { changes: this.changes, until: Date.now() + FRESH_MS };
    const config = await readConfig(tx, projectId);
    if (before.changes !== this.changes) return config;
    if (this.remembered.size >= MOST_PROJECTS) this.remembered.clear();
    this.remembered.set(projectId, { config, until: before.until });
    return config;
  }

  private forget(projectId: string): void {
    this.changes++;
    this.remembered.delete(projectId);
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

/** The pipeline named, or the project's default of the kind. */
export function requirePipeline({ pipelines }: ProjectConfig, kind: PipelineKind, id: string | undefined): CrmPipeline {
  const fitting = pipelines.filter((pipeline) => pipeline.kind === kind);
  const found = fitting.find((pipeline) => (id === undefined ? pipeline.is_default : pipeline.id === id));
  if (found) return found;
  throw refusal(
    'pipeline_id',
    id === undefined
      ? `pipeline_id is required, because the project has no default ${kind} pipeline`
      : `pipeline_id must be a ${kind} pipeline of the project`,
    fitting,
  );
}

/** The stage named, which must be one of the pipeline, or the pipeline's first. `param` is what callers name it by. */
export function requireStage(config: ProjectConfig, pipelineId: string, id: string | undefined, param: 'status_id' | 'stage_id'): CrmStage {
  const fitting = stagesOf(config, pipelineId);
  const found = id === undefined ? fitting[0] : fitting.find((stage) => stage.id === id);
  if (found) return found;
  throw refusal(
    param,
    id === undefined ? `${param} is required, because the pipeline has no stages` : `${param} must belong to the pipeline ${pipelineId}`,
    fitting,
  );
}

/** The stage that a move leads to: in the pipeline named, its first without a stage; else in the current one. */
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
  throw refusal('source_id', 'source_id must be a source of the project', sources);
}

export function customFieldsOf({ customFields }: ProjectConfig, resource: CustomFieldResource): CrmCustomField[] {
  return customFields.filter((field) => field.resource === resource);
}

/** Says what may be sent instead while that is little; an import may be refused so in ten thousand rows. */
function refusal(param: string, message: string, choices: readonly { id: string; name: string }[]): DomainError {
  if (choices.length > MOST_CHOICES) return CommonErrors.validationFailed({ param, message });
  return CommonErrors.validationFailed({
    param,
    message: `${message}: ${choices.map(({ id, name }) => `${name} is ${id}`).join(', ')}`,
    allowed: choices.map(({ id }) => id),
  });
}
