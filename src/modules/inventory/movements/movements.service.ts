import { Injectable } from '@nestjs/common';
import { AmountTooLarge, DomainError, Store, type Ctx, type Tx } from '../../../kit/index.js';
import type { Effect, ItemStock } from '../book/item-stock.js';
import { together } from '../book/shortages.js';
import { StockBook, type MovementFields } from '../book/stock-book.js';
import { InventoryConfig, isActive, requireLocation, requireReason } from '../config/inventory-config.js';
import { duplicateOf, invalid } from '../model/inventory.errors.js';
import { InventoryItem } from '../model/item.entity.js';
import type { StockMovement } from '../model/movement.entity.js';
import { decimalOf, quantityOf, type Quantity } from '../model/quantities.js';
import { quantityOfLine, requireExpected, requireMeaningful, type MovementLine } from './movement-lines.js';
import {
  StockMovementBatchErrorDto,
  type BatchStockMovementsDto,
  type RecordResult,
  type RecordStockMovementDto,
} from './movements.dto.js';

/** A line whose item and references are known. */
interface KnownLine extends MovementLine {
  item: InventoryItem;
}

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
    const outcomes = await this.known(ctx, tx, lines);
    if (atomic) for (const outcome of outcomes) if (outcome instanceof DomainError) throw outcome;
    const known = outcomes.filter((outcome): outcome is KnownLine => !(outcome instanceof DomainError));
    if (known.length === 0) return outcomes.map((outcome) => resultOf(outcome as DomainError));
    const book = await openFor(ctx, tx, known);
    const results: RecordResult[] = [];
    const runAll = async () => {
      for (const outcome of outcomes)
        results.push(outcome instanceof DomainError ? resultOf(outcome) : await runLine(book, outcome, atomic));
    };
    await (atomic ? together(book, demandsOf(book, known), runAll) : runAll());
    await book.finish();
    return results;
  }

  /** The lines with their items, or what is wrong with them. */
  private async known(ctx: Ctx, tx: Tx, lines: readonly MovementLine[]): Promise<(KnownLine | DomainError)[]> {
    const [items, existing] = await Promise.all([
      tx.list(InventoryItem, { id: [...new Set(lines.map(({ body }) => body.item_id))] }),
      existingExternalIds(ctx, tx, lines),
    ]);
    const byId = new Map(items.map((item) => [item.id, item]));
    const outcomes: (KnownLine | DomainError)[] = [];
    for (const line of lines) {
      try {
        outcomes.push(await this.knownLine(tx, line, byId.get(line.body.item_id), existing));
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        outcomes.push(error);
      }
    }
    return outcomes;
  }

  private async knownLine(tx: Tx, line: MovementLine, item: InventoryItem | undefined, existing: Map<string, string>): Promise<KnownLine> {
    const { param, body } = line;
    if (!item) throw invalid(`${param}item_id`, 'must be an item that list_items returns');
    // a count may empty what is retired
    const mustEnter = body.kind === 'receipt' || (body.kind === 'adjust' && !body.quantity.startsWith('-'));
    if (mustEnter && !item.active) throw invalid(`${param}item_id`, 'must be an active item, because stock enters');
    await this.config.decide(tx, item.project_id, (config) => {
      requireLocation(config, `${param}location_id`, body.location_id, mustEnter ? isActive : undefined);
      if (typeof body.reason === 'string') requireReason(config, `${param}reason`, body.reason);
    });
    if (typeof body.external_id === 'string') {
      const key = `${item.project_id} ${body.external_id}`;
      const duplicate = existing.get(key);
      if (duplicate !== undefined) throw duplicateOf(`${param}external_id`, body.external_id, duplicate);
      existing.set(key, `another movement of this call, ${param.slice(0, -1)}`);
    }
    return { ...line, item };
  }
}

/** The movements that have the external ids of the lines, by project and external id. */
async function existingExternalIds(ctx: Ctx, tx: Tx, lines: readonly MovementLine[]): Promise<Map<string, string>> {
  const sent = lines.flatMap(({ body }) => body.external_id ?? []);
  if (sent.length === 0) return new Map();
  const rows = await tx.query<{ id: string; project_id: string; external_id: string }>(
    `SELECT m.id, m.project_id, m.external_id FROM stock_movements m JOIN inventory_items i ON i.project_id = m.project_id
     WHERE m.organization_id = $1 AND m.mode = $2 AND m.external_id = ANY($3) AND i.id = ANY($4) AND i.organization_id = $1`,
    [ctx.organizationId, ctx.mode, sent, lines.map(({ body }) => body.item_id)],
  );
  return new Map(rows.map(({ id, project_id, external_id }) => [`${project_id} ${external_id}`, id]));
}

function openFor(ctx: Ctx, tx: Tx, lines: readonly KnownLine[]): Promise<StockBook> {
  const items = [...new Map(lines.map(({ item }) => [item.id, item])).values()];
  const bodies = lines.map(({ body }) => body);
  return StockBook.open(ctx, tx, items, {
    locationIds: [...new Set(bodies.map(({ location_id }) => location_id))],
    lots: bodies.flatMap(({ item_id: itemId, lot }) => (lot ? [{ itemId, name: lot }] : [])),
    picks: bodies.flatMap(({ item_id: itemId, location_id: locationId, lot }) => (lot ? [] : [{ itemId, locationId }])),
    reservations: bodies.flatMap(({ reservation_id }) => reservation_id ?? []),
  });
}

/** What the lines take, for the error if stock is lacking. Counts depend on what is there, so they are left out. */
function demandsOf(book: StockBook, lines: readonly KnownLine[]) {
  return lines.flatMap(({ param, body: { kind, quantity, unit, item_id: itemId, location_id: locationId }, item }) => {
    if (kind === 'count') return [];
    const factor = item.units.find(({ code }) => code === unit)?.factor ?? '1';
    const signed = ((kind === 'issue' ? 1n : -1n) * quantityOf(quantity) * quantityOf(factor)) / quantityOf('1');
    return [{ param, itemId: book.stock(itemId).item.id, locationId, quantity: signed }];
  });
}

async function runLine(book: StockBook, line: KnownLine, atomic: boolean): Promise<RecordResult> {
  try {
    return { movement: await applyLine(book, line) };
  } catch (error) {
    const refusal =
      error instanceof AmountTooLarge
        ? invalid(`${line.param}cost_amount`, `would lead to a value beyond ${Number.MAX_SAFE_INTEGER} minor units`)
        : error;
    if (atomic || !(refusal instanceof DomainError) || refusal.spec.status >= 500) throw refusal;
    return resultOf(refusal);
  }
}

async function applyLine(book: StockBook, line: KnownLine): Promise<StockMovement> {
  const { param, body } = line;
  const stock = book.stock(line.item.id);
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

async function changeBy(book: StockBook, stock: ItemStock, line: KnownLine, change: Quantity): Promise<Effect> {
  const { param, body } = line;
  if (change === 0n) return stock.unchanged(body.location_id);
  if (change < 0n) return takeOut(book, stock, line, -change);
  return stock.enter(param, body.location_id, change, body.cost_amount ?? null, body.lot ?? null, book.today);
}

async function takeOut(book: StockBook, stock: ItemStock, { param, body }: KnownLine, quantity: Quantity): Promise<Effect> {
  const { location_id: locationId, reservation_id, lot = null, release_reservations = false } = body;
  const kept = reservation_id ? keptFor(book, stock, param, locationId, reservation_id, quantity) : 0n;
  const leaving = stock.leaving(param, locationId, quantity, lot, kept);
  const freed = await book.free(stock, leaving, param, release_reservations);
  const reservation = reservation_id ? book.reservation(reservation_id) : undefined;
  if (reservation) book.endReservation(stock, reservation, kept, 'consumed');
  return stock.leave(freed, kept);
}

/** The part of a quantity that its reservation keeps: all of it, or the issue is refused. */
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
