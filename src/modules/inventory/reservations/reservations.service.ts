import { Injectable } from '@nestjs/common';
import { Store, type Ctx, type Page } from '../../../kit/index.js';
import { invalid } from '../model/inventory.errors.js';
import { StockReservation } from '../model/reservation.entity.js';
import type { CreateStockReservationDto } from '../resources/reservation.dto.js';
import type { StockReservationsQuery } from './reservations.dto.js';
import { StockReservations, type ReserveRequest } from './stock-reservations.js';

/** Creates and ends reservations for API calls. */
@Injectable()
export class ReservationsService {
  constructor(
    private readonly store: Store,
    private readonly reservations: StockReservations,
  ) {}

  page(ctx: Ctx, query: StockReservationsQuery): Promise<Page<StockReservation>> {
    return this.store.page(ctx, StockReservation, query);
  }

  create(ctx: Ctx, { item_id, quantity, location_id, reference, expires_at }: CreateStockReservationDto): Promise<StockReservation> {
    return this.store.write(ctx, async (tx) => {
      if (expires_at && new Date(expires_at) <= tx.startedAt) throw invalid('expires_at', 'must be in the future');
      const request: ReserveRequest = {
        lines: [{ item_id, quantity }],
        location_ids: location_id ? [location_id] : undefined,
        split: false,
        reference,
        expires_at: expires_at ? new Date(expires_at) : null,
      };
      const [{ reservation }] = await this.reservations.reserve(ctx, tx, request);
      return reservation;
    });
  }

  async release(ctx: Ctx, id: string): Promise<void> {
    await this.store.write(ctx, (tx) => this.reservations.release(ctx, tx, id, 'released', { isTarget: true }));
  }
}
