import { uuidv7 } from 'uuidv7';
import type { InventoryItem } from '../model/item.entity.js';
import { invalid } from '../model/inventory.errors.js';
import type { StockLot } from '../model/lot.entity.js';
import type { StockLotLevel } from '../model/lot-level.entity.js';
import { quantityOf, smaller, type Quantity } from '../model/quantities.js';
import { insufficient } from './refusals.js';

/** A lot, as it will be written. */
export interface LotState {
  id: string;
  /** Null for a new lot. */
  row: StockLot | null;
  code: string;
  expiresOn: string | null;
  expired: boolean;
  onHand: Quantity;
  inTransit: Quantity;
}

/** The quantity of a lot at a location, as it will be written. */
export interface LotLevelState {
  lot: LotState;
  locationId: string;
  row: StockLotLevel | null;
  quantity: Quantity;
  changed: boolean;
}

/** The lots of one item that a change needs, locked with the item. */
export class LotStock {
  readonly levels: LotLevelState[] = [];
  private readonly lots: LotState[] = [];

  constructor(
    lots: readonly StockLot[],
    levels: readonly StockLotLevel[],
    /** Whether lots may be missing here, because the item has so many. */
    private readonly isPartial: boolean,
  ) {
    for (const row of lots) {
      const { id, code, expires_on: expiresOn, expired } = row;
      this.lots.push({ id, row, code, expiresOn, expired, onHand: quantityOf(row.on_hand), inTransit: quantityOf(row.in_transit) });
    }
    const byId = new Map(this.lots.map((lot) => [lot.id, lot]));
    for (const row of levels) {
      const lot = byId.get(row.lot_id);
      if (lot) this.levels.push({ lot, row, locationId: row.location_id, quantity: quantityOf(row.quantity), changed: false });
    }
  }

  /** All lots, including those that the change has created. */
  get all(): readonly LotState[] {
    return this.lots;
  }

  find(name: { id: string } | { code: string }): LotState | undefined {
    return this.lots.find((lot) => ('id' in name ? lot.id === name.id : lot.code === name.code));
  }

  quantityAt(lot: LotState, locationId: string): Quantity {
    return this.levels.find((level) => level.lot === lot && level.locationId === locationId)?.quantity ?? 0n;
  }

  /** The lot with this code, created if there is none. A lot without stock gets the new date. */
  enter(code: string, expiresOn: string | null | undefined, today: string): LotState {
    const isPast = (day: string | null) => day !== null && day < today;
    let lot = this.find({ code });
    if (!lot) {
      lot = { id: uuidv7(), row: null, code, expiresOn: expiresOn ?? null, expired: false, onHand: 0n, inTransit: 0n };
      this.lots.push(lot);
    }
    if (lot.onHand + lot.inTransit === 0n) {
      if (expiresOn !== undefined) lot.expiresOn = expiresOn;
      lot.expired = isPast(lot.expiresOn);
    }
    return lot;
  }

  /** Chooses usable lots at a location: first those that expire first, then the oldest. */
  pick(item: InventoryItem, locationId: string, quantity: Quantity, param: string): { lot: LotState; quantity: Quantity }[] {
    const usable = this.levels.filter((level) => level.locationId === locationId && level.quantity > 0n && !level.lot.expired);
    usable.sort((a, b) => compare(a.lot.expiresOn ?? '9', b.lot.expiresOn ?? '9') || compare(a.lot.id, b.lot.id));
    const parts: { lot: LotState; quantity: Quantity }[] = [];
    let left = quantity;
    for (const level of usable) {
      if (left === 0n) break;
      const part = smaller(level.quantity, left);
      parts.push({ lot: level.lot, quantity: part });
      left -= part;
    }
    if (left === 0n) return parts;
    if (this.isPartial) throw invalid(`${param}quantity`, 'takes too many lots at once; name a lot, or send less');
    throw insufficient(item, locationId, quantity, quantity - left, param);
  }

  /** Adds to the location's quantity of the lot; negative to subtract. */
  add(lot: LotState, locationId: string, quantity: Quantity): void {
    let level = this.levels.find((known) => known.lot === lot && known.locationId === locationId);
    if (!level) this.levels.push((level = { lot, locationId, row: null, quantity: 0n, changed: true }));
    level.quantity += quantity;
    level.changed = true;
    lot.onHand += quantity;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
