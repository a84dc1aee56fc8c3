/** Refused before anything was done; the same call is worth repeating after `retryAfterSeconds`. */
export class RateLimited extends Error {
  override readonly name = 'RateLimited';

  constructor(readonly retryAfterSeconds: number) {
    super(`Too many requests: try again in ${retryAfterSeconds} s`);
  }
}
