import { amountOf } from '../../../kit/index.js';
import type { CostLayer } from '../model/cost-layer.entity.js';
import { duplicateLotDate, insufficient, tooLargeQuantity } from './refusals.js';
import { InventoryErrors, invalid } from '../model/inventory.errors.js';
import type { InventoryItem } from '../model/item.entity.js';
import type { StockLevel } from '../model/stock-level.entity.js';
import type { StockTotal } from '../model/stock-total.entity.js';
import type { CostSource } from '../model/statuses.js';
import { fits, quantityOf, smaller, type Quantity } from '../model/quantities.js';
import { shareOf, takeFromLayers, type Valued } from '../valuation/costs.js';
import type { LotState, LotStock } from './lot-stock.js';

/** A lot as named by the caller: by code, or by an id from an earlier response. */
export type LotName = { code: string; expires_on?: string | null } | { id: string };

/** The totals as they are stored. */
export type StoredTotal = Pick<StockTotal, 'on_hand' | 'reserved' | 'held' | 'incoming' | 'value_amount' | 'sequence'>;

/** The stock at one location, as it will be written. */
export interface LevelState {
  locationId: string;
  /** Null if the location never had the item. */
  row: StockLevel | null;
  onHand: Quantity;
  reserved: Quantity;
  held: Quantity;
  changed: boolean;
}

/** A cost layer as it will be written; null is a new one. */
export interface LayerState extends Valued {
  row: Pick<CostLayer, 'id'> | null;
  sequence: number;
  /** The received quantity; not needed for an existing layer. */
  received: Quantity;
  changed: boolean;
}

/** A part of a quantity that one lot has. */
export interface LotPart {
  lot: LotState;
  quantity: Quantity;
}

/** A decision about stock that leaves a location. Nothing has been changed yet. */
export interface Leaving {
  level: LevelState;
  quantity: Quantity;
  lots: LotPart[];
  /** The part of expired lots. */
  fromHeld: Quantity;
  /** The part that other reservations hold, which must be released first. */
  blocked: Quantity;
}

/** What a change did. */
export interface Effect {
  level: LevelState;
  change: Quantity;
  cost: number;
  /** Null if nothing entered. */
  costSource: CostSource | null;
  lots: LotPart[];
  onHandAfter: Quantity;
  sequence: number;
  itemQuantityAfter: Quantity;
  itemValueAfter: number;
}

/**
 * The stock of one item: decides in memory what may change, and changes it. Every method either rejects before it has changed
 * anything, or completes. `param` is the path of the line in the request, with a point at its end, or empty.
 */
export class ItemStock {
  onHand: Quantity;
  reserved: Quantity;
  held: Quantity;
  incoming: Quantity;
  value: number;
  sequence: number;

  constructor(
    readonly item: InventoryItem,
    readonly row: StoredTotal,
    readonly levels: Map<string, LevelState>,
    readonly layers: LayerState[],
    /** Null if the item is not tracked. */
    readonly lots: LotStock | null,
  ) {
    this.onHand = quantityOf(row.on_hand);
    this.reserved = quantityOf(row.reserved);
    this.held = quantityOf(row.held);
    this.incoming = quantityOf(row.incoming);
    this.value = row.value_amount;
    this.sequence = row.sequence;
  }

  get available(): Quantity {
    return this.onHand - this.reserved - this.held;
  }

  level(locationId: string): LevelState {
    let level = this.levels.get(locationId);
    if (!level) this.levels.set(locationId, (level = { locationId, row: null, onHand: 0n, reserved: 0n, held: 0n, changed: false }));
    return level;
  }

  availableAt(locationId: string): Quantity {
    const { onHand, reserved, held } = this.level(locationId);
    return onHand - reserved - held;
  }

  /** The quantity on hand at the location, of the lot if one is named. */
  countedAt(locationId: string, lot: LotName | null): Quantity {
    if (lot === null || this.lots === null) return this.level(locationId).onHand;
    const known = this.lots.find(lot);
    return known ? this.lots.quantityAt(known, locationId) : 0n;
  }

  /** Receives stock from outside. Without a cost it gets that of the existing stock. */
  enter(param: string, locationId: string, quantity: Quantity, cost: number | null, lotName: LotName | null, today: string): Effect {
    if (!fits(this.onHand + this.incoming + quantity)) throw tooLargeQuantity(`${param}quantity`);
    const amount = cost ?? shareOf({ quantity: this.onHand + this.incoming, amount: this.value }, quantity);
    // rejects a sum that is no longer exact
    amountOf(BigInt(this.value) + BigInt(amount));
    const lots = this.lots ? [{ lot: this.lotToEnter(param, quantity, lotName, today), quantity }] : [];
    this.value += amount;
    this.sequence++;
    if (this.item.valuation_method === 'fifo')
      this.layers.push({ row: null, sequence: this.sequence, received: quantity, quantity, amount, changed: true });
    const costSource = cost !== null ? 'sent' : amount > 0 ? 'stock' : 'none';
    return { ...this.added(locationId, quantity, amount, lots), costSource };
  }

  /** Decides whether a quantity may leave, and from which lots. `kept` of it is reserved for the caller. */
  leaving(param: string, locationId: string, quantity: Quantity, lotName: LotName | null, kept: Quantity = 0n): Leaving {
    const level = this.level(locationId);
    const lots = this.lots ? this.lotsToLeave(param, locationId, quantity, lotName) : [];
    const fromHeld = lots.reduce((sum, part) => (part.lot.expired ? sum + part.quantity : sum), 0n);
    const usable = level.onHand - level.held + fromHeld;
    if (quantity > usable) throw insufficient(this.item, locationId, quantity, usable - level.reserved + kept, param);
    const free = usable - level.reserved + kept;
    return { level, quantity, lots, fromHeld, blocked: quantity > free ? quantity - free : 0n };
  }

  /** Issues stock, at its cost. The reservation of `kept` ends. */
  leave({ level, quantity, lots, fromHeld }: Leaving, kept: Quantity = 0n): Effect {
    const total = { quantity: this.onHand + this.incoming, amount: this.value };
    const cost = this.item.valuation_method === 'fifo' ? this.takeLayers(quantity) : shareOf(total, quantity);
    this.value -= cost;
    this.sequence++;
    this.reserve(level.locationId, -kept);
    return this.removed(level, quantity, fromHeld, -cost, lots);
  }

  /** Sends stock to another location. */
  depart({ level, quantity, lots, fromHeld }: Leaving): Effect {
    this.incoming += quantity;
    for (const part of lots) part.lot.inTransit += part.quantity;
    this.sequence++;
    return this.removed(level, quantity, fromHeld, 0, lots);
  }

  /** Receives stock that was sent from another location. */
  arrive(locationId: string, quantity: Quantity, lotId: string | null): Effect {
    const lot = lotId === null ? null : (this.lots?.find({ id: lotId }) ?? null);
    this.incoming -= quantity;
    if (lot) lot.inTransit -= quantity;
    this.sequence++;
    return this.added(locationId, quantity, 0, lot ? [{ lot, quantity }] : []);
  }

  /** The effect of a count that confirms the stored quantity. */
  unchanged(locationId: string): Effect {
    const level = this.level(locationId);
    level.changed ||= level.row === null;
    this.sequence++;
    return this.effect(level, 0n, 0, []);
  }

  /** Reserves a quantity, or releases it if negative. The caller must have compared it with the available quantity. */
  reserve(locationId: string, quantity: Quantity): void {
    if (quantity === 0n) return;
    const level = this.level(locationId);
    level.reserved += quantity;
    level.changed = true;
    this.reserved += quantity;
  }

  /** Marks the location's quantity of a lot as held, because the lot has expired. */
  hold(locationId: string, quantity: Quantity): void {
    const level = this.level(locationId);
    level.held += quantity;
    level.changed = true;
    this.held += quantity;
  }

  /** Marks a lot as expired and returns its locations. The caller must release its reservations and hold its quantities. */
  expire(lot: LotState): { locationId: string; quantity: Quantity; blocked: Quantity }[] {
    lot.expired = true;
    const places = this.lots?.levels.filter((level) => level.lot === lot && level.quantity > 0n) ?? [];
    return places.map(({ locationId, quantity }) => {
      const available = this.availableAt(locationId);
      return { locationId, quantity, blocked: quantity > available ? quantity - available : 0n };
    });
  }

  private lotToEnter(param: string, quantity: Quantity, name: LotName | null, today: string): LotState {
    const stock = this.lots as LotStock;
    if (name === null) throw invalid(`${param}lot`, `is required, because the item is tracked by ${this.item.tracking}`);
    const known = stock.find(name);
    if (this.item.tracking === 'serial') {
      if (quantity !== quantityOf('1')) throw invalid(`${param}quantity`, 'must be 1, because each piece has its own serial number');
      if (known && known.onHand + known.inTransit > 0n)
        throw InventoryErrors.serialInStock({ param: `${param}lot.code`, extra: { lot_id: known.id } });
    }
    if ('id' in name) return known as LotState;
    const isEmpty = known && known.onHand + known.inTransit === 0n;
    if (known && !isEmpty && name.expires_on !== undefined && name.expires_on !== known.expiresOn)
      throw duplicateLotDate(`${param}lot.expires_on`, known.expiresOn);
    return stock.enter(name.code, name.expires_on, today);
  }

  private lotsToLeave(param: string, locationId: string, quantity: Quantity, name: LotName | null): LotPart[] {
    const stock = this.lots as LotStock;
    if (name === null) return stock.pick(this.item, locationId, quantity, param);
    const lot = stock.find(name);
    const there = lot ? stock.quantityAt(lot, locationId) : 0n;
    if (!lot || there < quantity) throw insufficient(this.item, locationId, quantity, there, param);
    return [{ lot, quantity }];
  }

  private takeLayers(quantity: Quantity): number {
    const before = this.layers.map((layer) => layer.quantity);
    const cost = takeFromLayers(this.layers, quantity);
    for (const [index, layer] of this.layers.entries()) if (layer.quantity !== before[index]) layer.changed = true;
    return cost;
  }

  private added(locationId: string, quantity: Quantity, cost: number, lots: LotPart[]): Effect {
    const level = this.level(locationId);
    level.onHand += quantity;
    level.changed = true;
    this.onHand += quantity;
    for (const part of lots) {
      this.lots?.add(part.lot, locationId, part.quantity);
      if (part.lot.expired) this.hold(locationId, part.quantity);
    }
    return this.effect(level, quantity, cost, lots);
  }

  private removed(level: LevelState, quantity: Quantity, fromHeld: Quantity, cost: number, lots: LotPart[]): Effect {
    level.onHand -= quantity;
    level.changed = true;
    this.onHand -= quantity;
    for (const part of lots) this.lots?.add(part.lot, level.locationId, -part.quantity);
    if (fromHeld > 0n) this.hold(level.locationId, -fromHeld);
    return this.effect(
      level,
      -quantity,
      cost,
      lots.map((part) => ({ ...part, quantity: -part.quantity })),
    );
  }

  private effect(level: LevelState, change: Quantity, cost: number, lots: LotPart[]): Effect {
    return {
      level,
      change,
      cost,
      costSource: null,
      lots,
      onHandAfter: level.onHand,
      sequence: this.sequence,
      itemQuantityAfter: this.onHand + this.incoming,
      itemValueAfter: this.value,
    };
  }
}

/** The smaller of both quantities, at least 0. */
export function atMost(wanted: Quantity, available: Quantity): Quantity {
  return available > 0n ? smaller(wanted, available) : 0n;
}
