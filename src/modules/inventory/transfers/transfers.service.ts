import { Injectable } from '@nestjs/common';
import { Store, type Ctx, type Tx } from '../../../kit/index.js';
import type { LotPart } from '../book/item-stock.js';
import { requireScale } from '../book/refusals.js';
import { together } from '../book/shortages.js';
import { StockBook } from '../book/stock-book.js';
import { InventoryConfig, isActive, requireLocation } from '../config/inventory-config.js';
import { InventoryErrors, invalid } from '../model/inventory.errors.js';
import { StockLocation } from '../model/location.entity.js';
import { decimalOf, quantityOf, type Quantity } from '../model/quantities.js';
import { transferMoves, transferSources, type TransferStatus, type TransferTrigger } from '../model/statuses.js';
import { StockTransferLine } from '../model/transfer-line.entity.js';
import { StockTransfer } from '../model/transfer.entity.js';
import { InventoryEvents } from '../resources/inventory.events.js';
import { StockTransferDto, type ReceiveStockTransferDto, type TransferStockDto } from '../resources/transfer.dto.js';
import { openOf, receivedLines, type ReceivedLine } from './receipt-lines.js';

/** A part of a transfer that is of one lot, or of an item without lots. */
interface SentPart {
  itemId: string;
  lotId: string | null;
  quantity: Quantity;
}

/** The reason of quantities lost in transit, if the project has it. */
const LOSS = 'loss';

/**
 * Sends stock from one location to another, and receives it there. Transfers do not change the value of stock; lost quantities are
 * written off on receipt.
 */
@Injectable()
export class TransfersService {
  constructor(
    private readonly store: Store,
    private readonly config: InventoryConfig,
  ) {}

  transfer(ctx: Ctx, body: TransferStockDto): Promise<StockTransferDto> {
    return this.store.write(ctx, async (tx) => {
      const projectId = await this.requireLocations(tx, body);
      const number = await tx.next('stock transfer', projectId);
      const { in_transit = false, from_location_id, to_location_id, reference = null } = body;
      const status: TransferStatus = in_transit ? 'in_transit' : 'received';
      const book = await openFor(ctx, tx, body);
      for (const [index, { item_id }] of body.lines.entries())
        if (book.item(item_id)?.project_id !== projectId)
          throw invalid(`lines.${index}.item_id`, "must be an item of the locations' project");
      const transfer = await tx.advanced.pipelined.insert(StockTransfer, {
        project_id: projectId,
        number: `${ctx.mode === 'test' ? 'TEST-' : ''}TR-${number}`,
        status,
        from_location_id,
        to_location_id,
        reference,
        ended_at: in_transit ? null : book.now,
        created_by: ctx.actor,
      });
      const parts = await send(book, transfer, body);
      if (!in_transit) for (const part of parts) arrive(book, transfer, to_location_id, part, part.quantity);
      const lines = await insertLines(tx, transfer, parts);
      await book.finish();
      return changed(tx, transfer, lines, 'transfer', null);
    });
  }

  receive(ctx: Ctx, id: string, body: ReceiveStockTransferDto): Promise<StockTransferDto> {
    return this.store.write(ctx, async (tx) => {
      const { transfer, lines } = await lockFor(tx, id, 'receive');
      const book = await openForLines(ctx, tx, lines);
      const received = receivedLines(book, lines, body.lines);
      const { reasons } = await this.config.of(tx, transfer.project_id);
      const reason = reasons.some(({ code, active }) => code === LOSS && active) ? LOSS : null;
      for (const line of received) await receiveLine(book, transfer, line, reason);
      const updated = await updateLines(tx, lines, received);
      await book.finish();
      const isOpen = updated.some((line) => openOf(line) > 0n);
      return end(tx, transfer, updated, 'receive', isOpen ? 'partially_received' : 'received', book.now);
    });
  }

  cancel(ctx: Ctx, id: string): Promise<StockTransferDto> {
    return this.store.write(ctx, async (tx) => {
      const { transfer, lines } = await lockFor(tx, id, 'cancel');
      const book = await openForLines(ctx, tx, lines);
      for (const { item_id: itemId, lot_id: lotId, quantity } of lines)
        arrive(book, transfer, transfer.from_location_id, { itemId, lotId }, quantityOf(quantity));
      await book.finish();
      return end(tx, transfer, lines, 'cancel', 'cancelled', book.now);
    });
  }

  /** The project of both locations. */
  private async requireLocations(tx: Tx, { from_location_id, to_location_id }: TransferStockDto): Promise<string> {
    const from = await tx.reference(StockLocation, from_location_id, 'from_location_id', {
      message: 'must be a location that list_stock_locations returns',
      lock: 'none',
    });
    if (from_location_id === to_location_id) throw invalid('to_location_id', 'must be another location than from_location_id');
    await this.config.decide(tx, from.project_id, (config) => requireLocation(config, 'to_location_id', to_location_id, isActive));
    return from.project_id;
  }
}

function openFor(ctx: Ctx, tx: Tx, { from_location_id: locationId, lines }: TransferStockDto): Promise<StockBook> {
  const itemIds = lines.map(({ item_id }) => item_id);
  const picks = lines.flatMap(({ item_id: itemId, lot_id }) => (lot_id ? [] : [{ itemId, locationId }]));
  return StockBook.open(ctx, tx, itemIds, { lots: lotsOf(lines), picks });
}

function openForLines(ctx: Ctx, tx: Tx, lines: readonly StockTransferLine[]): Promise<StockBook> {
  const itemIds = lines.map(({ item_id }) => item_id);
  return StockBook.open(ctx, tx, itemIds, { lots: lotsOf(lines) });
}

function lotsOf(lines: readonly { item_id: string; lot_id?: string | null }[]) {
  return lines.flatMap(({ item_id: itemId, lot_id }) => (lot_id ? [{ itemId, name: { id: lot_id } }] : []));
}

/** Takes all lines from their location, and returns their lots. */
async function send(book: StockBook, transfer: StockTransfer, { from_location_id: from, lines }: TransferStockDto): Promise<SentPart[]> {
  const demands = lines.map(({ item_id: itemId, quantity: wanted, lot_id }, index) => {
    const [param, { item, lots }] = [`lines.${index}.`, book.stock(itemId)];
    const quantity = requireScale(item, quantityOf(wanted), `${param}quantity`);
    if (lot_id && !lots?.find({ id: lot_id })) throw invalid(`${param}lot_id`, 'must be a lot of the item');
    return { param, itemId, locationId: from, quantity, lot: lot_id ? { id: lot_id } : null };
  });
  return together(book, demands, async () => {
    const parts: SentPart[] = [];
    for (const { param, itemId, quantity, lot } of demands) {
      const stock = book.stock(itemId);
      const leaving = await book.free(stock, stock.leaving(param, from, quantity, lot), param);
      const fields = { kind: 'transfer' as const, quantity, reference: transfer.reference, transfer_id: transfer.id };
      book.record(stock, fields, stock.depart(leaving));
      parts.push(...partsOf(itemId, quantity, leaving.lots));
    }
    return parts;
  });
}

function partsOf(itemId: string, quantity: Quantity, lots: readonly LotPart[]): SentPart[] {
  if (lots.length === 0) return [{ itemId, lotId: null, quantity }];
  return lots.map((part) => ({ itemId, lotId: part.lot.id, quantity: part.quantity }));
}

function arrive(
  book: StockBook,
  { id: transfer_id, reference }: StockTransfer,
  locationId: string,
  { itemId, lotId }: Pick<SentPart, 'itemId' | 'lotId'>,
  quantity: Quantity,
): void {
  const stock = book.stock(itemId);
  book.record(stock, { kind: 'transfer', quantity, reference, transfer_id }, stock.arrive(locationId, quantity, lotId));
}

/** Lost quantities are received and written off at once, so that the movements of the location add up. */
async function receiveLine(book: StockBook, transfer: StockTransfer, { param, line, received, lost }: ReceivedLine, reason: string | null) {
  const { to_location_id: to, id: transfer_id, reference } = transfer;
  arrive(book, transfer, to, { itemId: line.item_id, lotId: line.lot_id }, received + lost);
  if (lost === 0n) return;
  const stock = book.stock(line.item_id);
  const leaving = stock.leaving(param, to, lost, line.lot_id ? { id: line.lot_id } : null);
  const freed = await book.free(stock, leaving, param);
  book.record(stock, { kind: 'adjust', quantity: -lost, reason, reference, transfer_id }, stock.leave(freed));
}

async function insertLines(tx: Tx, { id: transfer_id, project_id, status }: StockTransfer, parts: readonly SentPart[]) {
  const lines: StockTransferLine[] = [];
  for (const [index, { itemId, lotId, quantity }] of parts.entries()) {
    const received_quantity = status === 'received' ? decimalOf(quantity) : '0';
    const line = { project_id, transfer_id, position: index + 1, item_id: itemId, lot_id: lotId, quantity: decimalOf(quantity) };
    lines.push(await tx.advanced.pipelined.insert(StockTransferLine, { ...line, received_quantity, lost_quantity: '0' }));
  }
  return lines;
}

async function updateLines(tx: Tx, lines: readonly StockTransferLine[], received: readonly ReceivedLine[]): Promise<StockTransferLine[]> {
  const updated: StockTransferLine[] = [];
  for (const line of lines) {
    const now = received.find((one) => one.line === line);
    if (!now) updated.push(line);
    else
      updated.push(
        await tx.advanced.pipelined.update(line, {
          received_quantity: decimalOf(quantityOf(line.received_quantity) + now.received),
          lost_quantity: decimalOf(quantityOf(line.lost_quantity) + now.lost),
        }),
      );
  }
  return updated;
}

/** The transfer that the path names, if the trigger is possible in its status. */
async function lockFor(tx: Tx, id: string, trigger: TransferTrigger): Promise<{ transfer: StockTransfer; lines: StockTransferLine[] }> {
  const transfer = await tx.target(StockTransfer, id);
  if (transferMoves(trigger, transfer.status).length === 0)
    throw InventoryErrors.invalidTransition({
      message: `A transfer that is ${transfer.status} cannot be ${trigger === 'cancel' ? 'cancelled' : 'received'}.`,
      allowed: transferSources(trigger),
    });
  const lines = await tx.list(StockTransferLine, { transfer_id: id });
  return { transfer, lines: lines.sort((a, b) => a.position - b.position) };
}

async function end(
  tx: Tx,
  transfer: StockTransfer,
  lines: readonly StockTransferLine[],
  trigger: TransferTrigger,
  status: TransferStatus,
  now: Date,
): Promise<StockTransferDto> {
  // also when its status stays the same, because the lines are part of the representation
  const updated = await tx.advanced.touch(transfer, { status, ended_at: status === 'partially_received' ? null : now });
  return changed(tx, updated, lines, trigger, transfer.status);
}

/** The transfer as responses show it; emits an event if its status has changed. */
function changed(
  tx: Tx,
  transfer: StockTransfer,
  lines: readonly StockTransferLine[],
  trigger: TransferTrigger,
  from: TransferStatus | null,
): StockTransferDto {
  const object = StockTransferDto.from(transfer, lines);
  const context = { from, to: transfer.status, trigger };
  if (from !== transfer.status) tx.emit(InventoryEvents.transferStatusChanged, { object, projectId: transfer.project_id, context });
  return object;
}
