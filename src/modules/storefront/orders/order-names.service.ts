import { Injectable } from '@nestjs/common';
import { CachedNames, Store, type Ctx } from '../../../kit/index.js';
import { Channel } from '../model/channel.entity.js';
import type { Order } from '../model/order.entity.js';
import { OrderDto } from '../order/order.dto.js';

/** Adds the names of channels to orders in answers. */
@Injectable()
export class OrderNames {
  private readonly channels: CachedNames;

  constructor(store: Store) {
    this.channels = new CachedNames((ctx, id) => store.list(ctx, Channel, { id }));
  }

  async mapper(ctx: Ctx, orders: readonly Order[]): Promise<(order: Order) => OrderDto> {
    const channel = await this.channels.of(
      ctx,
      orders.map(({ channel_id }) => channel_id),
    );
    return (order) => ({ ...OrderDto.from(order), channel_name: channel(order.channel_id) ?? undefined });
  }

  async one(ctx: Ctx, order: Order): Promise<OrderDto> {
    return (await this.mapper(ctx, [order]))(order);
  }
}
