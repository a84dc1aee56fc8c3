import type { DataSource } from 'typeorm';
import { BatchWriter } from '../persistence/batches/batch-writer.js';
import { poolOf } from '../persistence/database/pool.js';

const EVERY_MS = 1_000;
const USES_PER_UPDATE = 10_000;
const CAPACITY = 50_000;

const TOUCH_KEYS = `
  UPDATE api_keys SET last_used_at = used.at
  FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at)
  WHERE api_keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`;

/** Milliseconds since 1970, by the key's id. */
type KeyUse = [id: string, at: number];

/** Stores when each API key was last used, at most once a second. It does not change the key's version. */
export class KeyUses {
  private readonly uses: BatchWriter<KeyUse>;
  private writtenAt = 0;

  constructor(private readonly dataSource: DataSource) {
    this.uses = new BatchWriter<KeyUse>({
      items: 'uses of API keys',
      write: (batch) => this.touch(batch),
      maxBatch: USES_PER_UPDATE,
      delayMs: EVERY_MS,
      capacity: CAPACITY,
    });
  }

  async note(batch: readonly { api_key_id: string | null; time: number }[]): Promise<void> {
    for (const use of latest(batch.flatMap(({ api_key_id, time }): KeyUse[] => (api_key_id === null ? [] : [[api_key_id, time]]))))
      this.uses.add(use);
    if (Date.now() - this.writtenAt >= EVERY_MS) await this.uses.flush();
  }

  flush(): Promise<void> {
    return this.uses.flush();
  }

  close(): Promise<void> {
    return this.uses.close();
  }

  private async touch(batch: readonly KeyUse[]): Promise<void> {
    // in a fixed order, so that processes lock the keys' rows in the same order
    const uses = [...latest(batch)].sort(([one], [other]) => (one < other ? -1 : 1));
    await poolOf(this.dataSource).query({
      name: 'touch_api_keys',
      text: TOUCH_KEYS,
      values: [uses.map(([id]) => id), uses.map(([, at]) => new Date(at))],
    });
    this.writtenAt = Date.now();
  }
}

function latest(uses: readonly KeyUse[]): Map<string, number> {
  const known = new Map<string, number>();
  for (const [id, at] of uses) known.set(id, Math.max(at, known.get(id) ?? at));
  return known;
}
