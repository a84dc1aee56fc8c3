import { quantityOf, type Quantity } from '../model/quantities.js';
import type { StockReservation } from '../model/reservation.entity.js';
import type { ReservationStatus } from '../model/statuses.js';

/** Why a reservation, or a part of it, ends. */
export type EndReason = 'consumed' | 'released' | 'expired' | 'shortened';

/** A reservation as it will be written. */
export class ReservationState {
  quantity: Quantity;
  consumed: Quantity;
  status: ReservationStatus;
  /** What ended, in order. */
  readonly ended: { reason: EndReason; quantity: Quantity }[] = [];

  constructor(readonly row: StockReservation) {
    this.quantity = quantityOf(row.quantity);
    this.consumed = quantityOf(row.consumed_quantity);
    this.status = row.status;
  }

  get open(): Quantity {
    return this.status === 'active' ? this.quantity - this.consumed : 0n;
  }

  /** Ends a part of the open quantity. A reservation that ends entirely keeps its quantity as a record. */
  end(quantity: Quantity, reason: EndReason): void {
    const isWhole = quantity === this.open;
    if (reason === 'consumed') this.consumed += quantity;
    else if (!isWhole) this.quantity -= quantity;
    if (isWhole) this.status = reason === 'shortened' ? 'released' : reason;
    this.ended.push({ reason, quantity });
  }
}
