import type { LookupFunction } from 'node:net';
import type { TargetNames } from './target-names.js';

/** Resolves names for connections to checked addresses only. It is the only place where the address of a connection is chosen. */
export function guardedLookup(names: TargetNames): LookupFunction {
  return (hostname, options, callback) => {
    names.addressesOf(hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        if (options.all) callback(null, found);
        else callback(null, found[0].address, found[0].family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}
