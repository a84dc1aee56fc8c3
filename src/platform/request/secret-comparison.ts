import { timingSafeEqual } from 'node:crypto';

/** Compares a token of a request with the expected one in constant time. An empty token never matches. */
export function isSecret(given: unknown, expected: string | undefined): boolean {
  if (typeof given !== 'string' || !expected) return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
