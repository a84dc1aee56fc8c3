import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { FileMissing, type FileStorage } from '../../kit/index.js';
import { poolOf } from '../persistence/database/pool.js';
import { bytesOf } from './storage-place.js';

/** The key of the content that says which database deletes in a storage. */
const OWNER = 'owner';

/**
 * Which database deletes in a storage: the first that puts something there, until another one claims it. A copy of the database has the
 * same references, and must not delete what the original needs.
 */
@Injectable()
export class StorageOwner {
  private readonly log = new Logger('Files');

  constructor(private readonly dataSource: DataSource) {}

  /** A database without an identity cannot be told from its copies: it deletes nothing unless an operator has claimed the storage. */
  async owns(storage: FileStorage): Promise<boolean> {
    await this.claimIfFree(storage);
    const owner = await this.ownerOf(storage);
    if (owner !== null && owner === ((await this.identity()) ?? '')) return true;
    this.log.warn(
      owner === null
        ? `Nothing is deleted in ${storage.location}, because the provider hides what tells this database from its copies. If no copy ` +
            'uses this storage, run `work-suite storage claim`.'
        : `Another database deletes files in ${storage.location}, so nothing is deleted there. If this one takes its place, run ` +
            '`work-suite storage claim`; otherwise give it a storage of its own.',
    );
    return false;
  }

  async claimIfFree(storage: FileStorage): Promise<void> {
    if ((await this.identity()) !== null && (await this.ownerOf(storage)) === null) await this.claim(storage);
  }

  /** Makes this database the one that deletes in the storage. */
  async claim(storage: FileStorage): Promise<void> {
    await storage.put(OWNER, Buffer.from((await this.identity()) ?? ''));
  }

  private async ownerOf(storage: FileStorage): Promise<string | null> {
    try {
      return (await bytesOf(await storage.get(OWNER))).toString();
    } catch (error) {
      if (error instanceof FileMissing) return null;
      throw error;
    }
  }

  private async identity(): Promise<string | null> {
    const { rows } = await poolOf(this.dataSource).query<{ identity: string | null }>(
      'SELECT database_identity AS identity FROM installation',
    );
    return rows.at(0)?.identity ?? null;
  }
}
