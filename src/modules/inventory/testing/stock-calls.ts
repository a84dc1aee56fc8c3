import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Store, type Ctx, type Tx } from '../../../kit/index.js';
import { StockMovements, StockReservations, type ReserveRequest } from '../inventory.public.js';

// For `TestApp.inside`: what other modules do with stock, each in a transaction of its own.

function within<R>(app: NestFastifyApplication, ctx: Ctx, change: (tx: Tx) => Promise<R>): Promise<R> {
  return app.get(Store).write(ctx, change);
}

type Uses = Parameters<StockReservations['consume']>[2];
type Issued = Parameters<StockMovements['issue']>[2];
type Returned = Parameters<StockMovements['takeBack']>[2];

/** With `failure` the caller's transaction fails after it. */
export function reserve(app: NestFastifyApplication, ctx: Ctx, request: ReserveRequest, failure?: string) {
  return within(app, ctx, async (tx) => {
    const places = await app.get(StockReservations).reserve(ctx, tx, request);
    if (failure !== undefined) throw new Error(failure);
    return places.map(({ line, reservation: { id, location_id, quantity } }) => ({ line, id, location_id, quantity: Number(quantity) }));
  });
}

export function shorten(app: NestFastifyApplication, ctx: Ctx, id: string, quantity: string) {
  return within(app, ctx, async (tx) => {
    const { status, quantity: left } = await app.get(StockReservations).shorten(ctx, tx, id, quantity);
    return { status, quantity: Number(left) };
  });
}

export function consume(app: NestFastifyApplication, ctx: Ctx, uses: Uses) {
  return within(app, ctx, async (tx) => shown(await app.get(StockReservations).consume(ctx, tx, uses, { reference: 'SO-1' })));
}

export function issue(app: NestFastifyApplication, ctx: Ctx, lines: Issued) {
  return within(app, ctx, async (tx) => shown(await app.get(StockMovements).issue(ctx, tx, lines, { reference: 'SO-2' })));
}

export function takeBack(app: NestFastifyApplication, ctx: Ctx, returns: Returned) {
  const cause = { reference: 'SO-1', reason: 'return' };
  return within(app, ctx, async (tx) => shown(await app.get(StockMovements).takeBack(ctx, tx, returns, cause)));
}

function shown(movements: Awaited<ReturnType<StockMovements['issue']>>) {
  return movements.map(({ id, kind, change, cost_amount, lots }) => ({ id, kind, change: Number(change), cost_amount, lots }));
}
