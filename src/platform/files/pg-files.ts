import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { OnModuleInit, Type } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { Files, FileUnavailable, type Ctx, type FileOf, type Store, type Tx } from '../../kit/index.js';
import { newId, platformSql } from '../../kit/internal.js';
import { poolOf } from '../persistence/database/pool.js';
import type { PgTx } from '../persistence/transactions/pg-tx.js';
import type { Digest, Place, StoragePlace } from './storage-place.js';

/** What is read of an object at once. */
const PIECE_BYTES = 4 * 1024 * 1024;

type StoredFile = Digest & { [K in keyof Place]: Place[K] | null } & { bytes: Buffer | null; is_here: boolean };

/** Implements the kit's `Files`: contents are written to PostgreSQL with the change, and read from there or from the storage. */
export class PgFiles extends Files implements OnModuleInit {
  private objectsFrom = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: Store,
    private readonly place: StoragePlace,
  ) {
    super();
  }

  async onModuleInit(): Promise<void> {
    this.objectsFrom = (await objectsFrom(this.dataSource)).getTime();
  }

  async keep<N extends string>(tx: Tx, entity: Type<FileOf<N>>, name: N, content: Buffer | FileOf<N>): Promise<FileOf<N>> {
    const column = `${name}_object_id` as const;
    const hasBytes = this.dataSource.getMetadata(entity).findColumnWithPropertyName(name) !== undefined;
    const columns = (bytes: Buffer | null, id: string | null) => ({ ...(hasBytes ? { [name]: bytes } : {}), [column]: id }) as FileOf<N>;
    const bytes = Buffer.isBuffer(content) ? content : ownBytes(content, name);
    const known = Buffer.isBuffer(content) ? null : idOf(content, name);
    if (known !== null || bytes === null) return columns(null, known);
    if (hasBytes && Date.now() < this.objectsFrom) return columns(bytes, null);
    const { organizationId } = (tx as PgTx).ctx;
    const [{ id }] = await tx.sql<{ id: string }>(
      platformSql(
        `INSERT INTO objects (id, organization_id, sha256, size, bytes) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (organization_id, sha256) DO UPDATE SET collect_at = now() RETURNING id`,
        [newId(), organizationId, hash('sha256', bytes), bytes.length, bytes],
      ),
    );
    return columns(null, id);
  }

  async read<N extends string>(ctx: Ctx, row: FileOf<N>, name: N): Promise<Buffer> {
    const id = idOf(row, name);
    if (id === null) return requireBytes(row, name);
    const found = await this.find(ctx, id, null);
    return found.bytes ?? this.place.bytes(found as Digest & Place);
  }

  async stream<N extends string>(ctx: Ctx, row: FileOf<N>, name: N): Promise<Readable> {
    const id = idOf(row, name);
    if (id === null) return Readable.from([requireBytes(row, name)]);
    const found = await this.find(ctx, id, PIECE_BYTES);
    if (!found.is_here) return this.place.open(found as Digest & Place);
    return Readable.from(this.pieces(ctx, id, found));
  }

  private async *pieces(ctx: Ctx, id: string, { bytes, size }: StoredFile): AsyncGenerator<Buffer> {
    yield bytes as Buffer;
    for (let offset = PIECE_BYTES; offset < size; offset += PIECE_BYTES) {
      const [{ piece }] = await this.store
        .reader(ctx)
        .sql<{ piece: Buffer | null }>(
          platformSql(`SELECT substring(bytes FROM $3 FOR ${PIECE_BYTES}) AS piece FROM objects WHERE organization_id = $1 AND id = $2`, [
            ctx.organizationId,
            id,
            offset + 1,
          ]),
        );
      if (piece === null) return yield* this.moved(ctx, id, offset);
      yield piece;
    }
  }

  /** The rest of a content that was moved while it was read. */
  private async *moved(ctx: Ctx, id: string, offset: number): AsyncGenerator<Buffer> {
    yield (await this.place.bytes((await this.find(ctx, id, 0)) as Digest & Place)).subarray(offset);
  }

  /** With the first bytes, or all of them. */
  private async find(ctx: Ctx, id: string, most: number | null): Promise<StoredFile> {
    const bytes = most === null ? 'bytes' : `substring(bytes FROM 1 FOR ${most}) AS bytes`;
    const rows = await this.store
      .reader(ctx)
      .sql<StoredFile>(
        platformSql(
          `SELECT sha256, size, location, key, ${bytes}, bytes IS NOT NULL AS is_here FROM objects WHERE organization_id = $1 AND id = $2`,
          [ctx.organizationId, id],
        ),
      );
    const found = rows.at(0);
    // a change that runs again lost what it had stored: a copy of a file that was no object yet, which it will be soon
    if (!found) throw new FileUnavailable('The file is being moved. Try again in a minute.', 60);
    return found;
  }
}

/** From when on files of tables that had none before are objects: processes of the version before cannot read them. */
export async function objectsFrom(dataSource: DataSource): Promise<Date> {
  const { rows } = await poolOf(dataSource).query<{ objects_from: Date | null }>('SELECT objects_from FROM installation');
  return rows.at(0)?.objects_from ?? new Date(0);
}

function idOf<N extends string>(row: FileOf<N>, name: N): string | null {
  return (row as Record<string, string | null>)[`${name}_object_id`];
}

function ownBytes<N extends string>(row: FileOf<N>, name: N): Buffer | null {
  return (row as Record<string, Buffer | null | undefined>)[name] ?? null;
}

function requireBytes<N extends string>(row: FileOf<N>, name: N): Buffer {
  const bytes = ownBytes(row, name);
  if (bytes === null) throw new Error(`The row has no ${name}.`);
  return bytes;
}
