import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { Lazy } from '../../../kit/index.js';

/** The parameters that OWASP recommends for argon2id; each hash contains its own. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const PASSWORD_MIN_LENGTH = 12;
export const PASSWORD_MAX_LENGTH = 128;

export function hashPassword(password: string): Promise<string> {
  return hash(password, ARGON2ID);
}

const dummyHash = new Lazy(() => hashPassword(randomBytes(16).toString('hex')));

/** Takes as long for an account that does not exist (null) as for one that does. */
export async function passwordMatches(password: string, passwordHash: string | null): Promise<boolean> {
  const otherwise = await dummyHash.get();
  const matches = await verify(passwordHash ?? otherwise, password);
  return matches && passwordHash !== null;
}
