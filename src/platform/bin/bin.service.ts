import { Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CommonErrors, Projects, Store, type BaseEntity, type Ctx, type Page, type RestoreHandler, type Tx } from '../../kit/index.js';
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
    return { page: await this.store.page(ctx, DeletedRecord, query, { resource: [...of.keys()] }), of };
  }

  restore(ctx: Ctx, { entity, handler, event }: Restorable, id: string, show: () => Promise<object>): Promise<object> {
    return this.store.write(ctx, async (tx) => {
      const [record] = await tx.lockWhere(DeletedRecord, { record_id: id, resource: snakeCase(entity.name) });
      if (!record) throw CommonErrors.notFound();
      await this.projects.resolve(ctx, record.project_id).catch((error: unknown) => {
        throw refusalOf(error);
      });
      await this.requireVisible(tx, { ctx, entity, handler }, record);
      const row = await restoreRows(tx as PgTx, entity, record.id, id);
      await tx.delete(record);
      if (handler) await this.handle(handler as Type<RestoreHandler<BaseEntity>>, ctx, tx, row);
      const object = await show();
      if (event) tx.emit(event, { object, projectId: record.project_id });
      return object;
    });
  }

  private async requireVisible(
    tx: Tx,
    { ctx, entity, handler }: Pick<Restorable, 'entity' | 'handler'> & { ctx: Ctx },
    { id }: DeletedRecord,
  ): Promise<void> {
    if (!handler) return;
    const service = this.modules.get<RestoreHandler<BaseEntity>>(handler as Type<RestoreHandler<BaseEntity>>, { strict: false });
    if (service.requireVisible) await service.requireVisible(ctx, tx, await keptRow(tx as PgTx, entity, id));
  }

  private async handle(handler: Type<RestoreHandler<BaseEntity>>, ctx: Ctx, tx: Tx, row: BaseEntity): Promise<void> {
    try {
      await this.modules.get(handler, { strict: false }).restored(ctx, tx, row);
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /** Nothing can restore it afterwards: for personal data that must not wait. */
  erase(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const record = await tx.target(DeletedRecord, id);
      const of = this.resources.of(ctx).find(({ resource }) => resource === record.resource);
      if (!of) throw CommonErrors.notFound();
      await this.requireVisible(tx, { ctx, ...of }, record);
      await tx.delete(record);
    });
  }
}
