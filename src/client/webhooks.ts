import { SignatureError } from './errors.js';
import type { Webhooks } from './types.js';

const TOLERANCE_SECONDS = 300;

/** Verifies `Svc-Signature: t=<seconds>,v1=<hex>`, the HMAC-SHA256 of `<seconds>.<raw body>`. */
export const webhooks: Webhooks<unknown> = {
  async verify(rawBody, signature, secret, { toleranceSeconds = TOLERANCE_SECONDS } = {}) {
    const secrets = [secret].flat() as string[];
    if (secrets.length === 0 || secrets.some((each) => typeof each !== 'string' || each === ''))
      throw new TypeError("The endpoint's signing secret is missing.");
    const body = bytesOf(rawBody);
    const parts = String(signature ?? '')
      .split(',')
      .map((part) => part.trim().split('='));
    const time = parts.find(([name]) => name === 't')?.[1] ?? '';
    const signatures = parts.filter(([name, hex]) => name === 'v1' && /^[0-9a-f]{64}$/.test(hex ?? '')).map(([, hex]) => bytesOfHex(hex));
    if (!/^\d{1,12}$/.test(time) || signatures.length === 0) throw new SignatureError('The header Svc-Signature is missing or malformed.');
    const prefix = new TextEncoder().encode(`${time}.`);
    const signed = new Uint8Array(prefix.length + body.length);
    signed.set(prefix);
    signed.set(body, prefix.length);
    if (!(await isSigned(signed, signatures, secrets))) throw new SignatureError('The signature does not match the body and the secret.');
    // only now, so that nobody learns the tolerance by trying
    if (Math.abs(Date.now() / 1000 - Number(time)) > toleranceSeconds)
      throw new SignatureError(`The delivery was signed more than ${toleranceSeconds} seconds ago, or the clocks differ.`);
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  },
};

async function isSigned(signed: BufferSource, signatures: readonly BufferSource[], secrets: readonly string[]): Promise<boolean> {
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ]);
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  }
  return false;
}

function bytesOf(rawBody: unknown): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  throw new TypeError('Pass the raw body of the request, before it is parsed: a string or bytes.');
}

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) as string[], (pair) => parseInt(pair, 16));
}
