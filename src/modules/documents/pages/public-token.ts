import { createHash, randomBytes } from 'node:crypto';

const TOKEN = /^[\w-]{43}$/;

/** A token for a link that opens something to whoever has it: 256 bit; shown or mailed once and never stored. */
export function newToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: sha256(token) };
}

/** What is stored of a token, to find it again; null for what can be none. */
export function tokenHash(token: string): string | null {
  return TOKEN.test(token) ? sha256(token) : null;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
