import { hash } from 'node:crypto';

/** The keys of the advisory locks for mutexes, in the order in which they are locked. */
export function mutexKeys(names: readonly string[]): bigint[] {
  const keys = names.map((name) => hash('sha256', name, 'buffer').readBigInt64BE(0));
  return [...new Set(keys)].sort((a, b) => (a < b ? -1 : 1));
}
