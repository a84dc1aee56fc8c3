import { hash } from 'node:crypto';

/** The keys of the advisory locks for mutexes, in the order in which they are locked. */
export function mutexKeys(names: readonly string[]): bigint[] {
  // a hash as a buffer takes ten times as long
  const keys = names.map((name) => BigInt.asIntN(64, BigInt(`0x${hash('sha256', name).slice(0, 16)}`)));
  return [...new Set(keys)].sort((a, b) => (a < b ? -1 : 1));
}
