import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Of releases that wrote no id of the key. */
const WITHOUT_KEY_ID = 1;
const FORMAT = 2;
const KEY_ID_BYTES = 5;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CACHE_SIZE = 20_000;
/** Of the format and the key's id: 6 bytes, which are 8 whole characters of base64, so that SQL finds them in both forms. */
export const HEADER_BYTES = 1 + KEY_ID_BYTES;

interface BoxKey {
  header: Buffer;
  key: Buffer;
}

/**
 * AES-256-GCM encryption of stored secrets. `owner` is authenticated data, so a secret cannot be moved to another owner. The first key
 * encrypts; the others are earlier ones, with which secrets that were not encrypted again yet are decrypted.
 */
export class SecretBox {
  private readonly keys: readonly BoxKey[];
  private readonly macKey: Buffer;
  private readonly cache = new Map<string, string>();

  constructor(encryptionKeys: readonly string[], macKey = macKeyOf(encryptionKeys[0])) {
    this.keys = encryptionKeys.map((key) => ({
      header: Buffer.concat([Buffer.from([FORMAT]), derived(key, 'work-suite key id', KEY_ID_BYTES)]),
      key: derived(key, 'work-suite secret box', 32),
    }));
    this.macKey = macKey;
  }

  /** What begins everything that the first key encrypts. */
  get header(): Buffer {
    return this.keys[0].header;
  }

  seal(secret: string, owner: string): Buffer {
    const [{ header, key }] = this.keys;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([header, nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws if it was encrypted with none of the keys, or for another owner */
  open(box: Buffer, owner: string): string {
    if (box[0] === WITHOUT_KEY_ID) return this.openWithAnyKey(box.subarray(1), owner);
    if (box[0] !== FORMAT) throw new Error('The stored secret has an unknown format.');
    const header = box.subarray(0, HEADER_BYTES);
    const found = this.keys.find((candidate) => candidate.header.equals(header));
    if (!found) throw new Error('The stored secret was encrypted with a key that ENCRYPTION_KEYS does not have.');
    return decrypted(box.subarray(HEADER_BYTES), found.key, owner);
  }

  /** HMAC-SHA-256, with a key of its own, which stays the same when the encryption key is replaced. */
  mac(text: string): Buffer {
    return createHmac('sha256', this.macKey).update(text).digest();
  }

  /** Caches decrypted secrets: a worker decrypts the same few thousands of times a second. */
  openCached(box: Buffer, owner: string): string {
    const name = `${owner}${box.toString('latin1')}`;
    let secret = this.cache.get(name);
    if (secret === undefined) {
      if (this.cache.size >= CACHE_SIZE) this.cache.clear();
      this.cache.set(name, (secret = this.open(box, owner)));
    }
    return secret;
  }

  private openWithAnyKey(content: Buffer, owner: string): string {
    const failures: unknown[] = [];
    for (const { key } of this.keys) {
      try {
        return decrypted(content, key, owner);
      } catch (error) {
        failures.push(error);
      }
    }
    throw failures[0];
  }
}

/** The MAC key of an installation whose first encryption key this is. */
export function macKeyOf(encryptionKey: string): Buffer {
  return derived(encryptionKey, 'work-suite mac', 32);
}

/** HKDF-SHA-256. */
export function derived(encryptionKey: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', encryptionKey, '', purpose, bytes));
}

function decrypted(content: Buffer, key: Buffer, owner: string): string {
  const nonce = content.subarray(0, NONCE_BYTES);
  const tag = content.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner)).setAuthTag(tag);
  return Buffer.concat([decipher.update(content.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
}
