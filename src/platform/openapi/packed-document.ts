import { gunzipSync, gzipSync } from 'node:zlib';

/** A document of megabytes that is rarely requested, compressed in memory. */
export class PackedDocument {
  private constructor(private source: Buffer | (() => PackedDocument)) {}

  static of(content: Buffer | string): PackedDocument {
    return new PackedDocument(gzipSync(content));
  }

  static from(packed: Buffer): PackedDocument {
    return new PackedDocument(packed);
  }

  /** One that is made when it is read first. */
  static onDemand(make: () => PackedDocument): PackedDocument {
    return new PackedDocument(make);
  }

  get packed(): Buffer {
    if (typeof this.source === 'function') this.source = this.source().packed;
    return this.source;
  }

  content(): Buffer {
    return gunzipSync(this.packed);
  }
}
