import { codeAt } from '../../src/platform/people/second-factor/totp.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** An authenticator app: it knows the secret that was typed in. */
export class Authenticator {
  private readonly secret: Buffer;

  constructor(secret: string) {
    const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
    this.secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  }

  /** The code of a step from now: each is accepted once, so tests use neighbors. */
  code(offset: -1 | 0 | 1 = 0): string {
    return codeAt(this.secret, Math.floor(Date.now() / 30_000) + offset);
  }
}
