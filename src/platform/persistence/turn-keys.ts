import { hash } from 'node:crypto';

/** The advisory locks of turns by their names, in the one order in which they are taken. */
export function turnKeys(names: readonly string[]): bigint[] {
  const keys = names.map((name) => hash('sha256', name, 'buffer').readBigInt64BE(0));
  return [...new Set(keys)].sort((a, b) => (a < b ? -1 : 1));
}
