import { hash as hashAtCost, type Options } from '@node-rs/argon2';
import { PASSWORD } from './workspace.js';

// Takes the place of @node-rs/argon2 in the processes of `app-host.ts`: the password of the workspaces is hashed at the lowest cost,
// because a run of all tests makes and verifies thousands of these hashes. Each contains its cost, by which it is verified.

export { verify } from '@node-rs/argon2';

export function hash(password: string, options: Options): Promise<string> {
  return hashAtCost(password, password === PASSWORD ? { ...options, memoryCost: 8, timeCost: 1 } : options);
}
