/** An OpenAI-compatible model that the operator named. */
export interface AiSettings {
  /** Without a slash at its end; the API's own paths, such as `/chat/completions`, follow it. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  timeoutMs: number;
}

/** What executed documents are sealed with. */
export interface SealSettings {
  /** A PKCS #12 file with an RSA key and its certificates. */
  p12: Buffer;
  passphrase: string;
}

/** The modules' slice of the configuration. */
export abstract class Settings {
  /** The address by which clients reach the suite, without a slash at its end. Read it when it is needed: it is known once the suite listens. */
  abstract readonly baseUrl: string;
  abstract readonly environment: 'development' | 'test' | 'production';
  /** Null: no model is set, so the built-in provider answers. */
  abstract readonly ai: AiSettings | null;
  /** Outside production self-signed unless a file is set; the first reader waits a moment until it is made. */
  abstract readonly seal: SealSettings;
  /** Encrypts what is needed again and must not be read from the database, with ENCRYPTION_KEY. Twice the same text, two results. */
  abstract encrypt(text: string): string;
  /** Throws for what `encrypt` did not make, or made with another ENCRYPTION_KEY. */
  abstract decrypt(sealed: string): string;
}
