import { timingSafeEqual } from 'node:crypto';

/** Compares a token that a request contains with the expected one, in a time that tells nothing of it. No token equals an empty one. */
export function isSecret(given: unknown, expected: string | undefined): boolean {
  if (typeof given !== 'string' || !expected) return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
