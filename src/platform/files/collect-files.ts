import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { FileMissing, type FileStorage } from '../../kit/index.js';
import { poolOf } from '../persistence/database/pool.js';
import { bytesOf, StoragePlace, type Place } from './storage-place.js';

/** Longer than any transaction that is about to refer to an object, and than a response that is being read from one. */
export const GRACE_MS = 60 * 60_000;
const BATCH = 100;
/** The key of the content that says which database deletes in a storage. */
const OWNER = 'owner';

/** Deletes objects to which no row refers, and what storages need not keep any more. */
@Injectable()
export class CollectFiles {
  private readonly log = new Logger('Files');

  constructor(
    private readonly dataSource: DataSource,
    private readonly place: StoragePlace,
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

  /** Makes this database the one that deletes in the storage. */
  async claim(): Promise<void> {
    const storage = await this.place.storage();
    await storage?.put(OWNER, Buffer.from((await this.identity()) ?? ''));
  }

  private async remove(storage: FileStorage, before: Date, signal: AbortSignal): Promise<void> {
    const pool = poolOf(this.dataSource);
    for (let removed = BATCH; removed === BATCH;) {
      const { rows } = await pool.query<Pick<Place, 'key'>>(
        `SELECT key FROM object_removals WHERE location = $1 AND created_at <= $2 ORDER BY created_at LIMIT ${BATCH}`,
        [storage.location, before],
      );
      removed = rows.length;
      if (removed > 0 && !(await this.owns(storage))) return;
      for (const { key } of rows) {
        signal.throwIfAborted();
        await storage.delete(key);
        await pool.query('DELETE FROM object_removals WHERE location = $1 AND key = $2', [storage.location, key]);
      }
    }
  }

  /** A copy of the database has the same references: it must not delete what the original needs. */
  private async owns(storage: FileStorage): Promise<boolean> {
    const identity = await this.identity();
    if (identity === null) return true;
    try {
      const owner = (await bytesOf(await storage.get(OWNER))).toString();
      if (owner === identity) return true;
    } catch (error) {
      if (!(error instanceof FileMissing)) throw error;
      await this.claim();
      return true;
    }
    this.log.warn(
      `Another database deletes files in ${storage.location}, so nothing is deleted there. If this one takes its place, run ` +
        '`work-suite storage claim`; otherwise give it a storage of its own.',
    );
    return false;
  }

  private async identity(): Promise<string | null> {
    const { rows } = await poolOf(this.dataSource).query<{ identity: string | null }>(
      'SELECT database_identity AS identity FROM installation',
    );
    return rows.at(0)?.identity ?? null;
  }
}
