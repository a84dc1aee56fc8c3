import { META, type Json, type Revision, type ServerInfo } from '../protocol/protocol.js';

// The scopes of a key can change at any time, and a client that reads no stream does not learn of it.
const TTL_MS = 0;

/** The members that a revision adds to every result, as an object and as JSON text. */
export class Results {
  private readonly completion: Json;
  private readonly cacheable: Json;
  /** JSON text to append after other members; begins with a comma. */
  readonly completionTail: string;
  readonly cacheableTail: string;

  constructor(serverInfo: ServerInfo) {
    this.completion = { resultType: 'complete', _meta: { [META.serverInfo]: serverInfo } };
    this.cacheable = { ttlMs: TTL_MS, cacheScope: 'private', ...this.completion };
    this.completionTail = `,${JSON.stringify(this.completion).slice(1, -1)}`;
    this.cacheableTail = `,${JSON.stringify(this.cacheable).slice(1, -1)}`;
  }

  complete(result: Json, revision: Revision, cacheable = false): Json {
    if (!revision.modern) return result;
    const base = cacheable ? this.cacheable : this.completion;
    const meta = result['_meta'] as Json | undefined;
    return { ...base, ...result, ...(meta === undefined ? {} : { _meta: { ...(base['_meta'] as Json), ...meta } }) };
  }
}
