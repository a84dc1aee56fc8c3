import type { Admission, Bucket } from './limiter.js';

const policies = new WeakMap<readonly Bucket[], string>();

/** Cached per array, so a caller that reuses its array of buckets computes it once. */
function policy(buckets: readonly Bucket[]): string {
  let text = policies.get(buckets);
  if (text === undefined) {
    text = buckets.map(({ name, limit, windowSeconds }) => `"${name}";q=${limit};w=${windowSeconds}`).join(', ');
    policies.set(buckets, text);
  }
  return text;
}

/** The rate-limit headers, similar to draft-ietf-httpapi-ratelimit-headers. */
export function rateLimitHeaders(buckets: readonly Bucket[], admission: Admission): Record<string, string | number> {
  const headers: Record<string, string | number> = {
    'RateLimit-Limit': admission.tightest.limit,
    'RateLimit-Remaining': admission.tightest.remaining,
    'RateLimit-Reset': admission.tightest.resetSeconds,
    'RateLimit-Policy': policy(buckets),
  };
  if (!admission.admitted) headers['Retry-After'] = admission.retryAfterSeconds;
  return headers;
}
