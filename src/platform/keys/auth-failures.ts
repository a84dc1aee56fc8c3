import { type Limiter } from '../rate-limit/limiter.js';
import { RateLimited } from '../rate-limit/rate-limited.error.js';

const REMEMBERED = 10_000;

/**
 * Slows down whoever guesses keys or passwords: each failure is charged to the address, and an address that has used
 * up its failures is refused before anything is looked up. Successes cost nothing.
 */
export class AuthFailures {
  private readonly blockedUntil = new Map<string, number>();

  constructor(
    private readonly limiter: Limiter,
    private readonly perMinute: number,
  ) {}

  /** Throws while the address has to wait. */
  check(address: string): void {
    const until = this.blockedUntil.get(address);
    if (until === undefined) return;
    const wait = until - Date.now();
    if (wait > 0) throw new RateLimited(Math.ceil(wait / 1000));
    this.blockedUntil.delete(address);
  }

  async charge(address: string): Promise<void> {
    const admission = await this.limiter.admit([{ name: 'auth', id: address, limit: this.perMinute, windowSeconds: 60 }]);
    if (admission.admitted && admission.tightest.remaining > 0) return;
    if (this.blockedUntil.size >= REMEMBERED) this.blockedUntil.clear();
    this.blockedUntil.set(address, Date.now() + Math.max(admission.retryAfterSeconds, admission.tightest.resetSeconds) * 1000);
  }
}
