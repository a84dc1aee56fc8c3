import { Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CommonErrors, Projects, sql, Store, type BaseEntity, type Ctx, type Page, type RestoreHandler } from '../../kit/index.js';
import { Bin, snakeCase, type Restorable } from '../../kit/internal.js';
import type { PgTx } from '../persistence/transactions/pg-tx.js';
import { keptRow, refusalOf, restoreRows } from '../persistence/transactions/restored-rows.js';
import { BinResources, type BinResource } from './bin-resources.js';
import { DeletedRecord } from './deleted-record.entity.js';
import type { DeletedRecordsQuery } from './deleted-records.dto.js';

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
    const contains = text === undefined ? [] : [sql`strpos(lower(concat_ws(' ', t.title, t.deleted_by ->> 'email')), ${text}) > 0`];
    return { page: await this.store.page(ctx, DeletedRecord, query, { resource: [...of.keys()] }, ...contains), of };
  }

  restore(ctx: Ctx, { entity, handler, event }: Restorable, id: string, show: () => Promise<object>): Promise<object> {
    return this.store.write(ctx, async (tx) => {
      const [record] = await tx.lockWhere(DeletedRecord, { record_id: id, resource: snakeCase(entity.name) });
      if (!record) throw CommonErrors.notFound();
      await asRefusal(() => this.projects.resolve(ctx, record.project_id));
      const service = this.handlerOf(handler);
      const kept = await keptRow(tx as PgTx, entity, record.id);
      await service?.requireVisible?.(ctx, tx, kept);
      const row = await restoreRows(tx as PgTx, entity, record.id, kept);
      await tx.delete(record);
      await asRefusal(() => service?.restored(ctx, tx, row));
      const object = await show();
      if (event) tx.emit(event, { object, projectId: record.project_id });
      return object;
    });
  }

  /** Nothing can restore it afterwards: for personal data that must not wait. */
  erase(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const record = await tx.target(DeletedRecord, id);
      const of = this.resources.of(ctx).find(({ resource }) => resource === record.resource);
      if (!of) throw CommonErrors.notFound();
      const service = this.handlerOf(of.handler);
      if (service?.requireVisible) await service.requireVisible(ctx, tx, await keptRow(tx as PgTx, of.entity, record.id));
      await tx.delete(record);
    });
  }

  private handlerOf(handler: Restorable['handler']): RestoreHandler<BaseEntity> | undefined {
    return handler && this.modules.get(handler as Type<RestoreHandler<BaseEntity>>, { strict: false });
  }
}

/** An error of the work says why the row cannot be restored. */
async function asRefusal(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw refusalOf(error);
  }
}
