import { Injectable } from '@nestjs/common';
import { own, sql, Store, table, type Ctx, type Page, type SqlReader } from '../../../kit/index.js';
import { StockTransferLine } from '../model/transfer-line.entity.js';
import { StockTransfer } from '../model/transfer.entity.js';
import { StockTransferDto } from '../resources/transfer.dto.js';
import type { StockTransfersQuery } from './transfers.dto.js';

/** Reads transfers with their lines. */
@Injectable()
export class TransferReader {
  constructor(private readonly store: Store) {}

  async get(ctx: Ctx, id: string): Promise<StockTransferDto> {
    const transfer = await this.store.get(ctx, StockTransfer, id);
    return StockTransferDto.from(transfer, await linesOf(this.store.reader(ctx), [transfer]));
  }

  async page(
    ctx: Ctx,
    query: StockTransfersQuery,
  ): Promise<{ page: Page<StockTransfer>; map: (transfer: StockTransfer) => StockTransferDto }> {
    const conditions = !query.item_id
      ? []
      : [sql`t.id IN (SELECT l.transfer_id FROM ${table(StockTransferLine)} l WHERE ${own('l')} AND l.item_id = ANY(${query.item_id}))`];
    const page = await this.store.page(ctx, StockTransfer, query, ...conditions);
    const lines = Map.groupBy(await linesOf(this.store.reader(ctx), page.data), ({ transfer_id }) => transfer_id);
    return { page, map: (transfer) => StockTransferDto.from(transfer, lines.get(transfer.id) ?? []) };
  }
}

/** The lines of transfers that were read for the caller; a page may have more of them than `Store.list` returns. */
function linesOf(reader: SqlReader, transfers: readonly StockTransfer[]): Promise<StockTransferLine[]> {
  if (transfers.length === 0) return Promise.resolve([]);
  return reader.sql<StockTransferLine>(
    sql`SELECT l.* FROM ${table(StockTransferLine)} l
      WHERE ${own('l')} AND l.transfer_id = ANY(${transfers.map(({ id }) => id)}) ORDER BY l.transfer_id, l.position`,
  );
}
