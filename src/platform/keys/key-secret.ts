import { createHash, hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const PREFIX_LENGTH = 'svc_live_'.length;

/** The source of a regular expression, published for secret scanners. A match with a correct checksum is certainly a key. */
export const SECRET_PATTERN = String.raw`\bsvc_(?:live|test)_[0-9A-Za-z]{38}\b`;
const SECRET = new RegExp(`^${SECRET_PATTERN}$`);

/** CRC-32 (ISO-HDLC, that of zlib) as base62, most significant digit first; 62^6 exceeds 2^32. */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

export function generateSecret(mode: 'live' | 'test'): string {
  let body = `svc_${mode}_`;
  for (let i = 0; i < RANDOM_LENGTH; i++) body += ALPHABET[randomInt(ALPHABET.length)];
  return body + checksum(body);
}

/** The same secret for the same text: for a workspace of tests, whose keys stand in their configuration. */
export function derivedSecret(mode: 'live' | 'test', text: string): string {
  const bytes = createHash('sha512').update(text).digest();
  const body = `svc_${mode}_${Array.from({ length: RANDOM_LENGTH }, (_, index) => ALPHABET[bytes[index] % ALPHABET.length]).join('')}`;
  return body + checksum(body);
}

/** Rejects guesses and mistyped keys without a database lookup. */
export function isWellFormed(secret: string): boolean {
  return SECRET.test(secret) && secret.endsWith(checksum(secret.slice(0, -CHECKSUM_LENGTH)));
}

/** Unsalted and fast on purpose: 190 random bits cannot be guessed, and the hash is what a key is looked up by. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The same in base64, in a tenth of the time: allocating a buffer is the largest part of the cost of a hash. */
export function encodedHash(secret: string): string {
  return hash('sha256', secret, 'base64');
}

/** `svc_live_` or `svc_test_`. */
export function displayPrefix(secret: string): string {
  return secret.slice(0, PREFIX_LENGTH);
}

export function lastFour(secret: string): string {
  return secret.slice(-4);
}
