import { createHmac, timingSafeEqual } from 'node:crypto';

/** What authenticator apps support: SHA-1, six digits, 30 seconds (RFC 6238). */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** The number of steps by which the clock of a phone may be ahead or behind. */
const TOLERANCE = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of a 30-second step since 1970. */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  // RFC 4226, 5.3: the last four bits say where the 31 bits of the code begin
  const code = mac.readUInt32BE(mac[mac.length - 1] & 0xf) & 0x7fffffff;
  return String(code % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step of this code: the current one, or the one before or after it; null if it is the code of none of them. */
export function stepOf(secret: Buffer, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const current = Math.floor(now.getTime() / 1000 / STEP_SECONDS);
  for (let step = current - TOLERANCE; step <= current + TOLERANCE; step++)
    if (timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code))) return step;
  return null;
}

/** The address that an authenticator app reads from a QR code. */
export function otpauthUri(secret: Buffer, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}

/** RFC 4648 without padding. */
export function base32(bytes: Buffer): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32[(value >>> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text;
}
