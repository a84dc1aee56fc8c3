import { createHmac, randomBytes } from 'node:crypto';

/**
 * The header `Svc-Signature: t=<seconds>,v1=<hex>[,v1=<hex>]`: HMAC-SHA256 under each valid secret over
 * `<seconds>.<raw body>`. Two signatures while the previous secret is still valid.
 */
export function signatureHeader(secrets: readonly string[], body: string, seconds: number): string {
  const signatures = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`);
  return [`t=${seconds}`, ...signatures].join(',');
}

export function newSigningSecret(): string {
  return `svc_whsec_${randomBytes(32).toString('base64url')}`;
}
