import { randomInt } from 'node:crypto';

/** Without letters and digits that look alike; 32 of them, so a code has 50 bits. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 10;

export const RECOVERY_CODES = 10;

export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
  });
}

/** The form in which codes are compared: people type spaces, dashes and capitals. */
export function normalizeRecoveryCode(text: string): string {
  return text.toLowerCase().replace(/[\s-]/g, '');
}
