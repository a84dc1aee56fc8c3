import { Readable } from 'node:stream';

/** A stream that fails when it is read. */
export function brokenStream(): Readable {
  return new Readable({
    read: function read(this: Readable) {
      this.destroy(new Error('broken'));
    },
  });
}
