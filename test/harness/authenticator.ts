import { codeAt } from '../../src/platform/people/second-factor/totp.js';

const STEP_MS = 30_000;
/** The code of the step before is used within this time. */
const USE_MS = 4_000;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** An authenticator app: it knows the secret that was typed in. */
export class Authenticator {
  private readonly secret: Buffer;

  constructor(secret: string) {
    const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
    this.secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  }

  /**
   * The code of a step from now. Each is accepted once, so tests use neighbors. To use one again, keep it: the next call may be in another
   * step.
   */
  code(offset: -1 | 0 | 1 = 0): string {
    // the code of the step before is refused if the current step ends before it arrives
    const left = STEP_MS - (Date.now() % STEP_MS);
    if (offset === -1 && left < USE_MS) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, left);
    return codeAt(this.secret, Math.floor(Date.now() / STEP_MS) + offset);
  }
}
