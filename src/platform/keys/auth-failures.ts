import { type Limiter } from '../rate-limit/limiter.js';
import { RateLimited } from '../rate-limit/rate-limited.error.js';
import { limitKeyOf } from '../net/address.js';

const REMEMBERED = 10_000;

/**
 * Slows down whoever guesses keys: each failure is charged to the address, and an address that has used up its failures is
 * refused before anything is looked up. Successes cost nothing. Passwords have SignInFailures, whose counts survive a restart.
 */
export class AuthFailures {
  private readonly blockedUntil = new Map<string, number>();

  constructor(
    private readonly limiter: Limiter,
    private readonly perMinute: number,
  ) {}

  /** Throws while the address has to wait. */
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
    if (this.blockedUntil.size >= REMEMBERED) this.blockedUntil.clear();
    this.blockedUntil.set(from, Date.now() + Math.max(admission.retryAfterSeconds, admission.tightest.resetSeconds) * 1000);
  }
}
