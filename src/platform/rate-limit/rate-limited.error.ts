/** The call was rejected without side effects; retry it after `retryAfterSeconds`. */
export class RateLimited extends Error {
  override readonly name = 'RateLimited';

  constructor(readonly retryAfterSeconds: number) {
    super(`Too many requests: try again in ${retryAfterSeconds} s`);
  }
}
