import { gunzipSync, gzipSync } from 'node:zlib';

/** A document of megabytes that is rarely requested, compressed in memory. */
export class PackedDocument {
  private constructor(readonly packed: Buffer) {}

  static of(content: Buffer | string): PackedDocument {
    return new PackedDocument(gzipSync(content));
  }

  static from(packed: Buffer): PackedDocument {
    return new PackedDocument(packed);
  }

  content(): Buffer {
    return gunzipSync(this.packed);
  }
}
