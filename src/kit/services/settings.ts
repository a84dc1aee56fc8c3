/** The OpenAI-compatible model that the operator configured. */
export interface AiSettings {
  /** Without a trailing slash; API paths such as `/chat/completions` are appended. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  timeoutMs: number;
}

/** The certificate that seals executed documents. */
export interface SealSettings {
  /** The content of a PKCS #12 file with an RSA key and its certificates. */
  p12: Buffer;
  passphrase: string;
  /** Time-stamp authorities (RFC 3161) in the order in which they are asked; empty for none. A URL may contain credentials. */
  timeStampUrls: readonly string[];
}

/** The part of the configuration that modules may read. */
export abstract class Settings {
  /** The address at which clients reach the suite, without a trailing slash. Known only once the suite listens: do not read it earlier. */
  abstract readonly baseUrl: string;
  /** Whether a cookie must have the attribute `Secure`. */
  abstract readonly secureCookies: boolean;
  abstract readonly environment: 'development' | 'test' | 'production';
  /** The sender of every mail. */
  abstract readonly mailFrom: { address: string; name: string | null };
  /** Mails about events that one organization may send on one day (UTC). */
  abstract readonly invitationMailsPerDay: number;
  /** Null if no model is configured; the built-in provider is used then. */
  abstract readonly ai: AiSettings | null;
  /** Outside production a self-signed certificate by default; generating it blocks the first read for a moment. */
  abstract readonly seal: SealSettings;
  /** Encrypts a secret for storage with ENCRYPTION_KEY. Not deterministic: the same text encrypts differently each time. */
  abstract encrypt(text: string): string;
  /** Throws if the value was not created by `encrypt` with the same ENCRYPTION_KEY. */
  abstract decrypt(sealed: string): string;
  /** HMAC-SHA-256 with a key derived from ENCRYPTION_KEY, base64url: hashes guessable text, such as a short code. */
  abstract mac(text: string): string;
}
