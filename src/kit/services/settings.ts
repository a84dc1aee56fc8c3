import type { SettingsClass } from '../settings/module-settings.js';

/**
 * The part of the configuration that all modules may read. Their own settings are classes of `moduleSettings`.
 *
 * @example
 * ```ts
 * import type { Settings } from 'work-suite/kit';
 *
 * export const linkTo = (settings: Settings, token: string) => `${settings.baseUrl}/trips/${token}`;
 * ```
 */
export abstract class Settings {
  /** The address at which clients reach the suite, without a trailing slash. Known only once the suite listens: do not read it earlier. */
  abstract readonly baseUrl: string;
  /** Whether a cookie must have the attribute `Secure`. */
  abstract readonly secureCookies: boolean;
  abstract readonly environment: 'development' | 'test' | 'production';
  /** The sender of every mail. */
  abstract readonly mailFrom: { address: string; name: string | null };
  /** The values of a manifest's settings. Nest injects them by their class: call this only where there is no constructor. */
  abstract of<V extends object>(settings: SettingsClass<V>): V;
  /** A file in DATA_DIR, created at the first call and readable only by its owner; all processes that share the folder get the same. */
  abstract dataFile(name: string, create: () => string | Buffer): Buffer;
  /**
   * Encrypts a secret with ENCRYPTION_KEY, to be stored in an `@EncryptedColumn`. Not deterministic: the same text encrypts differently
   * each time.
   */
  abstract encrypt(text: string): string;
  /** Throws if the value was not created by `encrypt` with the same ENCRYPTION_KEY, or one of ENCRYPTION_KEYS. */
  abstract decrypt(sealed: string): string;
  /** HMAC-SHA-256 with a key of the installation, base64url: hashes guessable text, such as a short code. */
  abstract mac(text: string): string;
}
