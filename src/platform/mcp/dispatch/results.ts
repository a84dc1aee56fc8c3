import { META, type Json, type Revision, type ServerInfo } from '../protocol/protocol.js';

// Tools change with a deployment, guides too; a key's scopes never do.
const TTL_MS = 300_000;

/** Everything a result carries beyond its own fields, by revision: as an object, and as JSON text to splice. */
export class Results {
  private readonly completion: Json;
  private readonly cacheable: Json;
  /** To be written behind other members, with its leading comma. */
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
