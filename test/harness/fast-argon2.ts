import { hash as hashAtCost, verify as verifyHash, type Options } from '@node-rs/argon2';
import { PASSWORD } from './workspace.js';

// Takes the place of @node-rs/argon2 in the processes of `app-host.ts`: the password of the workspaces is hashed at the lowest cost,
// because a run of all tests makes and verifies thousands of these hashes. Each contains its cost, by which it is verified.

let costs: string[] = [];

export function hash(password: string, options: Options): Promise<string> {
  return hashAtCost(password, password === PASSWORD ? { ...options, memoryCost: 8, timeCost: 1 } : options);
}

export function verify(hashed: string, password: string): Promise<boolean> {
  costs.push(hashed.split('$')[3]);
  return verifyHash(hashed, password);
}

/** For `TestApp.inside`: the costs of the hashes that were verified since the last call, such as `m=19456,t=2,p=1`. */
export function verifiedCosts(): string[] {
  const verified = costs;
  costs = [];
  return verified;
}
