import { Injectable } from '@nestjs/common';
import { CachedNames, changedFrom, Members, Store, type Ctx } from '../../../kit/index.js';
import { CrmPipeline } from '../pipelines/crm-pipeline.entity.js';
import { CrmStage } from '../pipelines/crm-stage.entity.js';
import { LeadSource } from './lead-source.entity.js';

/** A lead, contact or deal: what its ids refer to. */
interface Referring {
  owner_id: string | null;
  source_id: string | null;
  pipeline_id?: string;
  status_id?: string;
  stage_id?: string;
}

/** Adds the names of owners, sources, pipelines, statuses and stages to leads, contacts and deals. */
@Injectable()
export class CrmNames {
  private readonly owners: CachedNames;
  private readonly sources: CachedNames;
  private readonly pipelines: CachedNames;
  private readonly stages: CachedNames;

  constructor(store: Store, members: Members) {
    this.owners = new CachedNames((ctx, ids) => members.byIds(ctx, ids));
    this.sources = new CachedNames((ctx, id) => store.list(ctx, LeadSource, { id }));
    this.pipelines = new CachedNames((ctx, id) => store.list(ctx, CrmPipeline, { id }));
    this.stages = new CachedNames((ctx, id) => store.list(ctx, CrmStage, { id }));
  }

  /** The record as a response shows it. */
  async one<R extends Referring, D extends object>(ctx: Ctx, record: R, map: (record: R) => D): Promise<D> {
    return (await this.mapper(ctx, [record], map))(record);
  }

  /** What an event about a change says: the record as a response shows it, and the former values of what changed. */
  async change<R extends Referring, D extends object>(ctx: Ctx, before: R, after: R, map: (record: R) => D) {
    const named = await this.mapper(ctx, [before, after], map);
    const object = named(after);
    return { object, previous: changedFrom(named(before), object) };
  }

  /** Returns the function that maps these records to DTOs with names. */
  async mapper<R extends Referring, D extends object>(ctx: Ctx, records: readonly R[], map: (record: R) => D): Promise<(record: R) => D> {
    const [owner, source, pipeline, stage] = await Promise.all([
      this.owners.of(
        ctx,
        records.map(({ owner_id }) => owner_id),
      ),
      this.sources.of(
        ctx,
        records.map(({ source_id }) => source_id),
      ),
      this.pipelines.of(
        ctx,
        records.map(({ pipeline_id }) => pipeline_id ?? null),
      ),
      this.stages.of(
        ctx,
        records.map(({ status_id, stage_id }) => status_id ?? stage_id ?? null),
      ),
    ]);
    return (record) => {
      const { pipeline_id, status_id, stage_id } = record;
      return {
        ...map(record),
        ...(pipeline_id === undefined ? {} : { pipeline_name: pipeline(pipeline_id) }),
        ...(status_id === undefined ? {} : { status_name: stage(status_id) }),
        ...(stage_id === undefined ? {} : { stage_name: stage(stage_id) }),
        owner_name: owner(record.owner_id),
        source_name: source(record.source_id),
      };
    };
  }
}
