import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { FileStorage } from '../../kit/index.js';
import { poolOf } from '../persistence/database/pool.js';
import { StorageOwner } from './storage-owner.js';
import { StoragePlace, type Place } from './storage-place.js';

/** Longer than any transaction that is about to refer to an object, and than a response that is being read from one. */
export const GRACE_MS = 60 * 60_000;
const BATCH = 100;

/** Deletes objects to which no row refers, and what storages need not keep any more. */
@Injectable()
export class CollectFiles {
  constructor(
    private readonly dataSource: DataSource,
    private readonly place: StoragePlace,
    private readonly owner: StorageOwner,
  ) {}

  async run(now: Date, signal: AbortSignal): Promise<void> {
    const before = new Date(now.getTime() - GRACE_MS);
    for (let looked = BATCH; looked === BATCH;) {
      signal.throwIfAborted();
      const { rows } = await poolOf(this.dataSource).query<{ looked: number }>('SELECT collect_objects($1, $2) AS looked', [before, BATCH]);
      looked = rows[0].looked;
    }
    const storage = await this.place.storage();
    if (storage) await this.remove(storage, before, signal);
  }

  private async remove(storage: FileStorage, before: Date, signal: AbortSignal): Promise<void> {
    const pool = poolOf(this.dataSource);
    for (let removed = BATCH; removed === BATCH;) {
      const { rows } = await pool.query<Pick<Place, 'key'>>(
        `SELECT key FROM object_removals WHERE location = $1 AND created_at <= $2 ORDER BY created_at LIMIT ${BATCH}`,
        [storage.location, before],
      );
      removed = rows.length;
      if (removed > 0 && !(await this.owner.owns(storage))) return;
      for (const { key } of rows) {
        signal.throwIfAborted();
        await storage.delete(key);
        await pool.query('DELETE FROM object_removals WHERE location = $1 AND key = $2', [storage.location, key]);
      }
    }
  }
}
