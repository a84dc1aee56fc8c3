import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { FileStorage } from '../../kit/index.js';
import { poolOf } from '../persistence/database/pool.js';
import { StorageOwner } from './storage-owner.js';
import { bytesOf, StoragePlace, verified, type Digest, type Place } from './storage-place.js';

const BATCH = 50;
/** Contents in memory at once. */
const CONCURRENT = 3;
/** After as many failures without a success between them, a storage that does not keep a probe is not asked again in this run. */
const MOST_FAILURES = 3;

const PROBE = 'probe';

export interface MoveResult {
  moved: number;
  failed: number;
  /** Why the last of those failed. */
  reason: string | null;
}

interface Moves {
  where: string;
  values: readonly string[];
  move(id: string): Promise<boolean>;
}

interface Claimed extends Digest, Place {
  id: string;
  bytes: Buffer;
}

/** Moves contents between PostgreSQL and the storage while the suite runs. What is interrupted goes on with the next run. */
@Injectable()
export class MoveFiles {
  private readonly log = new Logger('Files');

  constructor(
    private readonly dataSource: DataSource,
    private readonly place: StoragePlace,
    private readonly owner: StorageOwner,
  ) {}

  /** Everything to where files are to be kept. */
  async all(target: 'storage' | 'database', signal?: AbortSignal): Promise<MoveResult> {
    const storage = await this.place.storage();
    if (!storage) return { moved: 0, failed: 0, reason: null };
    return target === 'storage' ? this.toStorage(storage, signal) : this.toDatabase(storage, signal);
  }

  /** To the storage. What it has is read back and compared before PostgreSQL forgets it. */
  private toStorage(storage: FileStorage, signal?: AbortSignal): Promise<MoveResult> {
    let claimed: Promise<void> | null = null;
    const put = async (id: string) => {
      // before the first content, so that a copy of the database finds it
      await (claimed ??= this.owner.claimIfFree(storage));
      return this.put(storage, id);
    };
    return this.each(storage, { where: 'bytes IS NOT NULL', values: [], move: put }, signal);
  }

  /** All that the storage has, back to PostgreSQL. It is deleted there later. */
  private toDatabase(storage: FileStorage, signal?: AbortSignal): Promise<MoveResult> {
    return this.each(storage, { where: 'location = $2', values: [storage.location], move: (id) => this.fetch(id) }, signal);
  }

  /** Each once: those that fail stop no others. */
  private async each(storage: FileStorage, { where, values, move }: Moves, signal?: AbortSignal): Promise<MoveResult> {
    const result: MoveResult = { moved: 0, failed: 0, reason: null };
    const state = { failedInRow: 0, isDown: false };
    const work = async (ids: string[]) => {
      for (let id = ids.pop(); id !== undefined && !state.isDown; id = ids.pop()) {
        signal?.throwIfAborted();
        try {
          if (await move(id)) result.moved++;
          state.failedInRow = 0;
        } catch (error) {
          result.failed++;
          result.reason = reasonOf(error);
          this.log.warn(`The file ${id} could not be moved: ${result.reason}`);
          if (++state.failedInRow < MOST_FAILURES) continue;
          state.failedInRow = 0;
          if (!(await this.keeps(storage))) state.isDown = true;
        }
      }
    };
    for (let after = '00000000-0000-0000-0000-000000000000'; !state.isDown;) {
      const { rows } = await poolOf(this.dataSource).query<{ id: string }>(
        `SELECT id FROM objects WHERE id > $1 AND ${where} ORDER BY id LIMIT ${BATCH}`,
        [after, ...values],
      );
      const last = rows.at(-1);
      if (!last) break;
      after = last.id;
      const ids = rows.map(({ id }) => id).reverse();
      await Promise.all(Array.from({ length: CONCURRENT }, () => work(ids)));
    }
    return result;
  }

  private async keeps(storage: FileStorage): Promise<boolean> {
    try {
      await storage.put(PROBE, Buffer.from(PROBE));
      return (await bytesOf(await storage.get(PROBE))).toString() === PROBE;
    } catch {
      return false;
    }
  }

  private async put(storage: FileStorage, id: string): Promise<boolean> {
    const pool = poolOf(this.dataSource);
    // the place is noted before the content is sent: if this process ends in between, the next run sends it to the same place
    const { rows } = await pool.query<Claimed>(
      `UPDATE objects SET location = $2, key = CASE WHEN location = $2 THEN key ELSE organization_id || '/' || $3 END
       WHERE id = $1 AND bytes IS NOT NULL RETURNING id, key, location, sha256, size, bytes`,
      [id, storage.location, randomUUID()],
    );
    const object = rows.at(0);
    // it was deleted, or moved by another process
    if (!object) return false;
    await storage.put(object.key, object.bytes);
    for await (const _ of verified(await storage.get(object.key), object, `${object.location}/${object.key}`));
    const { rowCount } = await pool.query('UPDATE objects SET bytes = NULL WHERE id = $1 AND location = $2 AND key = $3', [
      id,
      object.location,
      object.key,
    ]);
    return rowCount === 1;
  }

  private async fetch(id: string): Promise<boolean> {
    const pool = poolOf(this.dataSource);
    const { rows } = await pool.query<Place & Digest & { is_here: boolean }>(
      'SELECT location, key, sha256, size, bytes IS NOT NULL AS is_here FROM objects WHERE id = $1 AND key IS NOT NULL',
      [id],
    );
    const object = rows.at(0);
    if (!object) return false;
    const bytes = object.is_here ? null : await bytesOf(await this.place.open(object));
    // a trigger notes what is to be deleted in the storage
    const { rowCount } = await pool.query(
      `UPDATE objects SET bytes = coalesce(bytes, $2), location = NULL, key = NULL
       WHERE id = $1 AND key = $3 AND (bytes IS NOT NULL OR $2::bytea IS NOT NULL)`,
      [id, bytes, object.key],
    );
    return rowCount === 1;
  }
}

/** A refused connection to a name with several addresses has no message of its own. */
function reasonOf(error: unknown): string {
  const { message, code, name } = error as Error & { code?: string };
  return message || code || name;
}
