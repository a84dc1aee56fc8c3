import { createHash, randomBytes } from 'node:crypto';

const TOKEN = /^[\w-]{43}$/;

/**
 * A 256-bit bearer token for a link. It is shown or mailed once and never stored.
 *
 * @example
 * ```ts
 * import { newToken } from 'work-suite/kit';
 *
 * const { token, hash } = newToken(); // mail the token, store only the hash
 * ```
 */
export function newToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: sha256(token) };
}

/**
 * The stored hash of a token, for lookups; null for text that cannot be a token.
 *
 * @example
 * ```ts
 * import { tokenHash } from 'work-suite/kit';
 *
 * const hash = tokenHash('what the link contains'); // null if it cannot be a token
 * ```
 */
export function tokenHash(token: string): string | null {
  return TOKEN.test(token) ? sha256(token) : null;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
