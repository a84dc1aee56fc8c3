import { Injectable, type Type } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { objectColumns } from '../../kit/internal.js';
import { poolOf } from '../persistence/database/pool.js';
import { objectsFrom } from './pg-files.js';

const BATCH = 20;
/** A batch ends with the file that exceeds this size: one statement must not take long. */
const BATCH_BYTES = 8 * 1024 * 1024;
/** How often a table that had none left is looked at again: processes of the version before may have written some. */
const AGAIN_MS = 24 * 60 * 60_000;

/** Makes objects of the files of rows that were written before their table had objects. Lasts as long as their columns exist. */
@Injectable()
export class AdoptFiles {
  private readonly looked = new Map<string, number>();

  constructor(private readonly dataSource: DataSource) {}

  async run(now: Date, signal: AbortSignal): Promise<void> {
    if (now < (await objectsFrom(this.dataSource))) return;
    let failure: Error | null = null;
    for (const { table, column, before } of this.columns()) {
      const name = `${table}.${column}`;
      if (now.getTime() - (this.looked.get(name) ?? 0) < AGAIN_MS) continue;
      try {
        await this.adopt(adopt(table, column, before), signal);
        this.looked.set(name, now.getTime());
      } catch (error) {
        signal.throwIfAborted();
        // the others do not wait for it
        failure ??= error as Error;
      }
    }
    if (failure) throw failure;
  }

  private async adopt(statement: string, signal: AbortSignal): Promise<void> {
    for (let adopted = BATCH; adopted > 0;) {
      signal.throwIfAborted();
      adopted = (await poolOf(this.dataSource).query(statement)).rowCount ?? 0;
    }
  }

  private columns(): { table: string; column: string; before: string }[] {
    return objectColumns().flatMap(({ entity, column }) => {
      if (!this.dataSource.hasMetadata(entity as Type)) return [];
      const before = column.replace(/_object_id$/, '');
      const metadata = this.dataSource.getMetadata(entity as Type);
      return metadata.findColumnWithPropertyName(before) ? [{ table: metadata.tableName, column, before }] : [];
    });
  }
}

/** Neither version nor time of the rows change, as their files do not. */
function adopt(table: string, column: string, before: string): string {
  return `
    WITH found AS MATERIALIZED (
      SELECT ctid AS place, length("${before}") AS size FROM "${table}"
      WHERE "${column}" IS NULL AND length("${before}") > 0 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    ), counted AS (
      SELECT place, sum(size) OVER (ORDER BY place) - size AS earlier FROM found
    ), adopted AS MATERIALIZED (
      SELECT t.ctid AS place, t.organization_id, t."${before}" AS bytes, encode(sha256(t."${before}"), 'hex') AS sha256
      FROM counted JOIN "${table}" t ON t.ctid = counted.place WHERE counted.earlier < ${BATCH_BYTES}
    ), kept AS (
      INSERT INTO objects (id, organization_id, sha256, size, bytes)
      SELECT DISTINCT ON (organization_id, sha256) gen_random_uuid(), organization_id, sha256, length(bytes), bytes FROM adopted
      ORDER BY organization_id, sha256
      ON CONFLICT (organization_id, sha256) DO UPDATE SET collect_at = now() RETURNING id, organization_id, sha256
    )
    UPDATE "${table}" t SET "${column}" = kept.id, "${before}" = NULL
    FROM adopted JOIN kept USING (organization_id, sha256) WHERE t.ctid = adopted.place`;
}
