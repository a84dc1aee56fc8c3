import { Injectable } from '@nestjs/common';
import { Store, type Ctx } from '../../../kit/index.js';
import { AiFailure } from './provider.js';

/** Each of them keeps one of the pool's connections. */
const MOST = 4;
/** Well below the time after which PostgreSQL ends a session that idles in a transaction. */
const TOUCH_EVERY_MS = 20_000;

/**
 * A request with an Idempotency-Key has its transaction open from the beginning, because that is what holds the key. While a
 * model is asked it is kept alive, and only a few such requests may wait at once: the pool must never run dry of connections,
 * for without one none of them could come to an end.
 */
@Injectable()
export class HeldCalls {
  private waiting = 0;

  constructor(private readonly store: Store) {}

  async during<R>(ctx: Ctx, work: () => Promise<R>): Promise<R> {
    if (ctx.idempotencyKey === null) return work();
    if (this.waiting >= MOST) throw new AiFailure('aborted', 'Too many analyses are running.');
    this.waiting++;
    const touch = setInterval(() => void this.store.write(ctx, (tx) => tx.query('SELECT 1')).catch(() => undefined), TOUCH_EVERY_MS);
    try {
      return await work();
    } finally {
      clearInterval(touch);
      this.waiting--;
    }
  }
}
