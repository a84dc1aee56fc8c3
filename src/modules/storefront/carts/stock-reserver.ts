import { Injectable } from '@nestjs/common';
import { plainDecimal, type Ctx, type Tx } from '../../../kit/index.js';
import { StockReservations } from '../../inventory/inventory.public.js';
import type { Channel } from '../model/channel.entity.js';
import { itemQuantity } from '../model/item-quantities.js';
import type { PricedLine } from '../model/shown-parts.js';
import { invalid } from '../model/storefront.errors.js';
import type { LineReservation } from '../model/values.js';

/** Reserves the stock of orders. */
@Injectable()
export class StockReserver {
  constructor(private readonly reservations: StockReservations) {}

  /**
   * Reserves stock for each line: at one location if it has enough of everything, or else at several, in the channel's order of
   * locations. Errors name the fields of the order.
   */
  async reserve(
    ctx: Ctx,
    tx: Tx,
    { project_id, number, channel, lines }: { project_id: string; number: string; channel: Channel; lines: readonly PricedLine[] },
  ): Promise<LineReservation[][]> {
    const reserved: LineReservation[][] = lines.map(() => []);
    const wanted = [...lines.entries()].flatMap(([index, { sku, item_id, item_quantity, quantity }]) =>
      item_id === null ? [] : [{ index, sku, item_id, quantity: itemQuantity(item_quantity, quantity), param: `lines.${index}` }],
    );
    if (wanted.length === 0) return reserved;
    const made = await this.reservations.reserve(ctx, tx, {
      project_id,
      lines: wanted.map(({ item_id, quantity, param }) => ({ item_id, quantity, param })),
      unusable: {
        item: (line) =>
          invalid(
            `${wanted[line].param}.variant_id`,
            `must have an active item in the inventory, and that of ${wanted[line].sku} is not active`,
          ),
        location: () => invalid('channel_id', 'must be a channel whose locations in the inventory are all active'),
      },
      location_ids: channel.location_ids.length > 0 ? channel.location_ids : undefined,
      split: true,
      reference: number,
      expires_at: null,
    });
    for (const { line, reservation } of made)
      reserved[wanted[line].index].push({
        id: reservation.id,
        location_id: reservation.location_id,
        quantity: plainDecimal(reservation.quantity),
      });
    return reserved;
  }
}
