import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CACHE_SIZE = 20_000;

/** AES-256-GCM encryption of stored secrets. `owner` is authenticated data, so a secret cannot be moved to another owner. */
export class SecretBox {
  private readonly key: Buffer;
  private readonly macKey: Buffer;
  private readonly cache = new Map<string, string>();

  constructor(encryptionKey: string) {
    this.key = Buffer.from(hkdfSync('sha256', encryptionKey, '', 'work-suite secret box', 32));
    this.macKey = Buffer.from(hkdfSync('sha256', encryptionKey, '', 'work-suite mac', 32));
  }

  seal(secret: string, owner: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from([FORMAT]), nonce, cipher.getAuthTag(), sealed]);
  }

  open(box: Buffer, owner: string): string {
    if (box[0] !== FORMAT) throw new Error('The stored secret has an unknown format.');
    const nonce = box.subarray(1, 1 + NONCE_BYTES);
    const tag = box.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(owner)).setAuthTag(tag);
    return Buffer.concat([decipher.update(box.subarray(1 + NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  }

  /** HMAC-SHA-256, with a key of its own. */
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
}
