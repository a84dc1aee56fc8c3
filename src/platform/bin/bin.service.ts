import { Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import {
  CommonErrors,
  isUuid,
  own,
  Projects,
  sql,
  Store,
  table,
  type BaseEntity,
  type Condition,
  type Ctx,
  type Page,
  type RestoreHandler,
  type Sql,
  type Tx,
} from '../../kit/index.js';
import { Bin, severalRows, snakeCase, type Candidate, type Restorable } from '../../kit/internal.js';
import { TITLE_COLUMNS } from '../persistence/rows/row-title.js';
import type { PgTx } from '../persistence/transactions/pg-tx.js';
import { keptRow, refusalOf, restoreRows } from '../persistence/transactions/restored-rows.js';
import { BinResources, type BinResource } from './bin-resources.js';
import { DeletedRecord } from './deleted-record.entity.js';
import type { DeletedRecordsQuery } from './deleted-records.dto.js';

type Kind = Pick<BinResource, 'resource' | 'entity' | 'handler'>;

/** As `kept_title` of the record `t`. */
const KEPT_TITLE = sql`(SELECT COALESCE(${sql.join(
  TITLE_COLUMNS.map((name) => sql`k.rows -> 0 ->> ${name}`),
  ', ',
)}) FROM deleted_rows k WHERE k.deleted_record_id = t.id AND k.place = 0 AND t.title IS NULL)`;

/** Lists, restores and erases deleted records. The store keeps them when it deletes. */
@Injectable()
export class BinService extends Bin {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly resources: BinResources,
    private readonly modules: ModuleRef,
  ) {
    super();
  }

  /** The caller's, of the resources that they may restore. */
  async page(ctx: Ctx, query: DeletedRecordsQuery): Promise<{ page: Page<DeletedRecord>; of: ReadonlyMap<string, BinResource> }> {
    const of = new Map(this.resources.of(ctx).map((one) => [one.resource, one]));
    const text = query.text?.toLowerCase();
    const contents = sql`concat_ws(' ', t.title, ${KEPT_TITLE}, t.deleted_by ->> 'email')`;
    const contains = text === undefined ? [] : [sql`strpos(lower(${contents}), ${text}) > 0`];
    const seen = [...of.values()].flatMap((one) => this.visible(ctx, one));
    return { page: await this.store.page(ctx, DeletedRecord, query, { resource: [...of.keys()] }, ...seen, ...contains), of };
  }

  restore(
    ctx: Ctx,
    { entity, handler, event }: Restorable,
    { id, keyColumn }: { id: string; keyColumn?: string },
    show: () => Promise<object>,
  ): Promise<object> {
    return this.store.write(ctx, async (tx) => {
      const resource = snakeCase(entity.name);
      const records =
        isUuid(id) || keyColumn === undefined
          ? await tx.lockWhere(DeletedRecord, { record_id: id, resource })
          : await tx.lockWhere(DeletedRecord, { resource }, hasKey(keyColumn, id), ...this.visible(ctx, { resource, entity, handler }));
      const [record, ...others] = records;
      if (others.length > 0) throw severalRows('id', id, await this.candidates(ctx, records));
      if (!record) return this.refuseLiving(resource, show);
      await this.requireVisible(ctx, tx, record, { resource, entity, handler });
      await asRefusal(() => this.projects.resolve(ctx, record.project_id));
      const service = this.handlerOf(handler);
      const kept = await keptRow(tx as PgTx, entity, record.id);
      const row = await restoreRows(tx as PgTx, entity, record.id, kept);
      await tx.delete(record, { isInternal: true });
      await asRefusal(() => service?.restored(ctx, tx, row, record.detached_ids));
      const object = await show();
      if (event) tx.emit(event, { object, projectId: record.project_id });
      return object;
    });
  }

  /** 404 if the caller does not see such a record. */
  private async refuseLiving(resource: string, show: () => Promise<object>): Promise<never> {
    await show();
    throw CommonErrors.resourceConflict({
      message: `This ${resource.replaceAll('_', ' ')} is not deleted, so there is nothing to restore.`,
    });
  }

  /** Nothing can restore it afterwards: for personal data that must not wait. */
  erase(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const record = await tx.target(DeletedRecord, id);
      const of = this.resources.of(ctx).find(({ resource }) => resource === record.resource);
      if (!of) throw CommonErrors.notFound();
      await this.requireVisible(ctx, tx, record, of);
      await tx.delete(record);
    });
  }

  private async requireVisible(ctx: Ctx, tx: Tx, { id }: DeletedRecord, of: Kind): Promise<void> {
    const conditions = this.visible(ctx, of);
    if (conditions.length === 0) return;
    const found = await tx.list(DeletedRecord, { id }, ...conditions);
    if (found.length === 0) throw CommonErrors.notFound();
  }

  private async candidates(ctx: Ctx, records: readonly DeletedRecord[]): Promise<Candidate[]> {
    const ids = records.map(({ project_id }) => project_id);
    const projects = await this.store
      .reader(ctx)
      .sql<{ id: string; key: string }>(
        sql`SELECT p.id, p.key FROM projects p WHERE p.organization_id = ${own.organization} AND p.id = ANY(${ids}::uuid[])`,
      );
    const keys = new Map(projects.map((project) => [project.id, project.key]));
    return records.map(({ record_id, project_id, title }) => ({ id: record_id, project: keys.get(project_id), title }));
  }

  /**
   * The records of other kinds, and those of this kind whose kept rows the caller may see. `visibleTo` is a condition on a row `t`, as
   * `t` is the record outside: within, `t` is the kept row, so that the id of the record needs another name.
   */
  private visible(ctx: Ctx, { resource, entity, handler }: Kind): Sql[] {
    const condition = this.handlerOf(handler)?.visibleTo?.(ctx);
    if (!condition) return [];
    return [
      sql`t.resource <> ${resource} OR EXISTS (
        SELECT FROM (SELECT t.id AS deleted_record_id) record JOIN deleted_rows kept USING (deleted_record_id)
          CROSS JOIN LATERAL json_populate_record(NULL::${table(entity)}, kept.rows->0) t
        WHERE kept.place = 0 AND ${condition})`,
    ];
  }

  private handlerOf(handler: Restorable['handler']): RestoreHandler<BaseEntity> | undefined {
    return handler && this.modules.get(handler as Type<RestoreHandler<BaseEntity>>, { strict: false });
  }
}

/** The first of the kept rows is the deleted row itself. */
function hasKey(column: string, key: string): Condition {
  return sql`EXISTS (SELECT FROM deleted_rows k
    WHERE k.deleted_record_id = t.id AND k.place = 0 AND upper(k.rows -> 0 ->> ${column}) = upper(${key}))`;
}

/** An error of the work says why the row cannot be restored. */
async function asRefusal(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw refusalOf(error);
  }
}
