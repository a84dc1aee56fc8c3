import { Injectable } from '@nestjs/common';
import { AmountTooLarge, DomainError, own, sql, Store, table, type Ctx, type Tx } from '../../../kit/index.js';
import type { Effect, ItemStock } from '../book/item-stock.js';
import { together } from '../book/shortages.js';
import { StockBook, type MovementFields } from '../book/stock-book.js';
import { InventoryConfig, isActive, requireLocation, requireReason } from '../config/inventory-config.js';
import { duplicateOf, invalid } from '../model/inventory.errors.js';
import type { InventoryItem } from '../model/item.entity.js';
import { StockMovement } from '../model/movement.entity.js';
import { decimalOf, quantityOf, type Quantity } from '../model/quantities.js';
import type { RecordStockMovementDto } from '../resources/movement.dto.js';
import { quantityOfLine, requireExpected, requireMeaningful, type MovementLine } from './movement-lines.js';
import { StockMovementBatchErrorDto, type BatchStockMovementsDto, type RecordResult } from './movements.dto.js';

/** Records movements of all kinds but transfers. */
@Injectable()
export class MovementsService {
  constructor(
    private readonly store: Store,
    private readonly config: InventoryConfig,
  ) {}

  async record(ctx: Ctx, body: RecordStockMovementDto): Promise<StockMovement> {
    const [result] = await this.store.write(ctx, (tx) => this.recordIn(ctx, tx, [{ param: '', body }], { atomic: true }));
    if ('error' in result) throw new Error('An atomic call reports an error by throwing it.');
    return result.movement;
  }

  batch(ctx: Ctx, { items, atomic = false }: BatchStockMovementsDto): Promise<RecordResult[]> {
    const lines = items.map((body, index) => ({ param: `items.${index}.`, body }));
    return this.store.write(ctx, (tx) => this.recordIn(ctx, tx, lines, { atomic }));
  }

  /**
   * Records movements in this order, in a larger change. With `atomic` the first error is thrown; otherwise a movement that fails changes
   * nothing, and the others are recorded.
   */
  async recordIn(ctx: Ctx, tx: Tx, lines: readonly MovementLine[], { atomic }: { atomic: boolean }): Promise<RecordResult[]> {
    const book = await openFor(ctx, tx, lines);
    const existing = await existingExternalIds(tx, book, lines);
    const results: RecordResult[] = [];
    const runAll = async () => {
      for (const line of lines) results.push(await this.runLine(tx, book, line, existing, atomic));
    };
    await (atomic ? together(book, demandsOf(book, lines), runAll) : runAll());
    await book.finish();
    return results;
  }

  private async runLine(
    tx: Tx,
    book: StockBook,
    line: MovementLine,
    existing: Map<string, string>,
    atomic: boolean,
  ): Promise<RecordResult> {
    try {
      const movement = await applyLine(book, line, await this.itemOf(tx, book, line, existing));
      if (movement.external_id !== null) existing.set(`${movement.project_id} ${movement.external_id}`, movement.id);
      return { movement };
    } catch (error) {
      const refusal =
        error instanceof AmountTooLarge
          ? invalid(`${line.param}cost_amount`, `would lead to a value beyond ${Number.MAX_SAFE_INTEGER} minor units`)
          : error;
      if (atomic || !(refusal instanceof DomainError) || refusal.spec.status >= 500) throw refusal;
      return resultOf(refusal);
    }
  }

  /** The item of a line whose references are valid. `existing` are movements by project and external id. */
  private async itemOf(
    tx: Tx,
    book: StockBook,
    { param, body }: MovementLine,
    existing: ReadonlyMap<string, string>,
  ): Promise<InventoryItem> {
    const item = book.item(body.item_id);
    if (!item) throw invalid(`${param}item_id`, 'must be an item that list_items returns');
    // a count may empty an inactive item or location
    const mustEnter = body.kind === 'receipt' || (body.kind === 'adjust' && !body.quantity.startsWith('-'));
    if (mustEnter && !item.active) throw invalid(`${param}item_id`, 'must be an active item, because stock enters');
    await this.config.decide(tx, item.project_id, (config) => {
      requireLocation(config, `${param}location_id`, body.location_id, mustEnter ? isActive : undefined);
      if (typeof body.reason === 'string') requireReason(config, `${param}reason`, body.reason);
    });
    const duplicate = typeof body.external_id === 'string' ? existing.get(`${item.project_id} ${body.external_id}`) : undefined;
    if (duplicate !== undefined) throw duplicateOf(`${param}external_id`, body.external_id as string, duplicate);
    return item;
  }
}

/** The movements that have the external ids of the lines, by project and external id. */
async function existingExternalIds(tx: Tx, book: StockBook, lines: readonly MovementLine[]): Promise<Map<string, string>> {
  const sent = lines.flatMap(({ body }) => body.external_id ?? []);
  if (sent.length === 0) return new Map();
  tx.advanced.retryOnConflict();
  const projects = lines.flatMap(({ body }) => book.item(body.item_id)?.project_id ?? []);
  const rows = await tx.sql<{ id: string; project_id: string; external_id: string }>(
    sql`SELECT m.id, m.project_id, m.external_id FROM ${table(StockMovement)} m
      WHERE ${own('m')} AND m.project_id = ANY(${[...new Set(projects)]}) AND m.external_id = ANY(${sent})`,
  );
  return new Map(rows.map(({ id, project_id, external_id }) => [`${project_id} ${external_id}`, id]));
}

function openFor(ctx: Ctx, tx: Tx, lines: readonly MovementLine[]): Promise<StockBook> {
  const bodies = lines.map(({ body }) => body);
  return StockBook.open(
    ctx,
    tx,
    bodies.map(({ item_id }) => item_id),
    {
      lots: bodies.flatMap(({ item_id: itemId, lot }) => (lot ? [{ itemId, name: lot }] : [])),
      picks: bodies.flatMap(({ item_id: itemId, location_id: locationId, lot }) => (lot ? [] : [{ itemId, locationId }])),
      reservations: bodies.flatMap(({ reservation_id }) => reservation_id ?? []),
    },
  );
}

/**
 * The quantities that the lines take, for the error if stock is lacking. Counts are left out, because they depend on the existing stock.
 */
function demandsOf(book: StockBook, lines: readonly MovementLine[]) {
  return lines.flatMap(({ param, body: { kind, quantity, unit, item_id: itemId, location_id: locationId } }) => {
    const item = book.item(itemId);
    if (!item || kind === 'count') return [];
    const factor = item.units.find(({ code }) => code === unit)?.factor ?? '1';
    const signed = ((kind === 'issue' ? 1n : -1n) * quantityOf(quantity) * quantityOf(factor)) / quantityOf('1');
    return [{ param, itemId, locationId, quantity: signed }];
  });
}

async function applyLine(book: StockBook, line: MovementLine, { id }: InventoryItem): Promise<StockMovement> {
  const { param, body } = line;
  const stock = book.stock(id);
  requireMeaningful(line, book.now);
  const quantity = quantityOfLine(stock.item, line);
  const lot = body.lot ?? null;
  if (lot !== null && stock.lots === null) throw invalid(`${param}lot`, 'is only for items that are tracked by lot or serial number');
  const there = stock.countedAt(body.location_id, lot);
  requireExpected(line, there);
  const fields: MovementFields = { ...body, quantity, reservation_id: body.reservation_id ?? null };
  if (body.kind === 'issue') return book.record(stock, fields, await takeOut(book, stock, line, quantity));
  if (body.kind === 'count' && stock.lots !== null && lot === null)
    throw invalid(`${param}lot`, `is required, because the item is tracked by ${stock.item.tracking}`);
  if (body.kind === 'count' && stock.item.tracking === 'serial' && quantity > quantityOf('1'))
    throw invalid(`${param}quantity`, 'must be 0 or 1, because each piece has its own serial number');
  const change = body.kind === 'count' ? quantity - there : quantity;
  return book.record(stock, fields, await changeBy(book, stock, line, change));
}

async function changeBy(book: StockBook, stock: ItemStock, line: MovementLine, change: Quantity): Promise<Effect> {
  const { param, body } = line;
  if (change === 0n) return stock.unchanged(body.location_id);
  if (change < 0n) return takeOut(book, stock, line, -change);
  return stock.enter(param, body.location_id, change, body.cost_amount ?? null, body.lot ?? null, book.today);
}

async function takeOut(book: StockBook, stock: ItemStock, { param, body }: MovementLine, quantity: Quantity): Promise<Effect> {
  const { location_id: locationId, reservation_id, lot = null, release_reservations = false } = body;
  const kept = reservation_id ? keptFor(book, stock, param, locationId, reservation_id, quantity) : 0n;
  const leaving = stock.leaving(param, locationId, quantity, lot, kept);
  const freed = await book.free(stock, leaving, param, release_reservations);
  const reservation = reservation_id ? book.reservation(reservation_id) : undefined;
  if (reservation) book.endReservation(stock, reservation, kept, 'consumed');
  return stock.leave(freed, kept);
}

/** The reserved part of a quantity: all of it, or the issue is rejected. */
function keptFor(book: StockBook, stock: ItemStock, param: string, locationId: string, id: string, quantity: Quantity): Quantity {
  const reservation = book.reservation(id);
  if (!reservation || reservation.row.item_id !== stock.item.id || reservation.open === 0n)
    throw invalid(`${param}reservation_id`, 'must be an active reservation of the item');
  if (reservation.row.location_id !== locationId)
    throw invalid(`${param}location_id`, `must be that of the reservation: ${reservation.row.location_id}`, [reservation.row.location_id]);
  if (quantity > reservation.open)
    throw invalid(`${param}quantity`, `must not exceed what is open of the reservation: ${decimalOf(reservation.open)}`);
  return quantity;
}

function resultOf(error: DomainError): RecordResult {
  return {
    status: error.spec.status,
    error: Object.assign(StockMovementBatchErrorDto.from(error), { details: error.occurrence.details ?? null }),
  };
}
