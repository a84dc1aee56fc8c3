import { type Limiter } from '../rate-limit/limiter.js';
import { RateLimited } from '../rate-limit/rate-limited.error.js';
import { limitKeyOf } from '../net/address.js';

const MAX_BLOCKED = 10_000;

/**
 * Limits guessing of keys: each failure is charged to the IP address, and an address without remaining failures is rejected before
 * any lookup. Successes are not charged. Passwords have SignInFailures, whose counts survive a restart.
 */
export class AuthFailures {
  private readonly blockedUntil = new Map<string, number>();

  constructor(
    private readonly limiter: Limiter,
    private readonly perMinute: number,
  ) {}

  /** Throws RateLimited while the address is blocked. */
  check(address: string): void {
    const from = limitKeyOf(address);
    const until = this.blockedUntil.get(from);
    if (until === undefined) return;
    const wait = until - Date.now();
    if (wait > 0) throw new RateLimited(Math.ceil(wait / 1000));
    this.blockedUntil.delete(from);
  }

  async charge(address: string): Promise<void> {
    const from = limitKeyOf(address);
    const admission = await this.limiter.admit([{ name: 'auth', id: from, limit: this.perMinute, windowSeconds: 60 }]);
    if (admission.admitted && admission.tightest.remaining > 0) return;
    if (this.blockedUntil.size >= MAX_BLOCKED) this.blockedUntil.clear();
    this.blockedUntil.set(from, Date.now() + Math.max(admission.retryAfterSeconds, admission.tightest.resetSeconds) * 1000);
  }
}
