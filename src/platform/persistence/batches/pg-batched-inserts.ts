import { Injectable, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { BatchedInserts, type BaseEntity } from '../../../kit/index.js';
import { BatchWriter } from './batch-writer.js';
import { planOf } from '../rows/entity-plan.js';
import { poolOf } from '../database/pool.js';

const DELAY_MS = 250;
const ROWS_PER_INSERT = 500;
/** Of JSON, for each entity. */
const CAPACITY_CHARACTERS = 64 * 1024 * 1024;

/** Implements the kit's `BatchedInserts`. */
@Injectable()
export class PgBatchedInserts extends BatchedInserts implements OnApplicationShutdown {
  private readonly writers = new Map<Type, BatchWriter<string>>();

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {
    super();
  }

  override add<E extends BaseEntity>(entity: Type<E>, row: Omit<E, 'version'>): void {
    let writer = this.writers.get(entity);
    if (!writer) this.writers.set(entity, (writer = this.writerOf(entity)));
    writer.add(JSON.stringify(row));
  }

  async flush(): Promise<void> {
    for (const writer of this.writers.values()) await writer.flush();
  }

  async onApplicationShutdown(): Promise<void> {
    for (const writer of this.writers.values()) await writer.close();
  }

  private writerOf(entity: Type<BaseEntity>): BatchWriter<string> {
    const { table, columns } = planOf(this.dataSource, entity);
    const names = [...columns.keys()].map((column) => `"${column}"`).join(', ');
    // if a batch is written again because its response was lost, it has the same ids
    const text = `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json) ON CONFLICT
      (id) DO NOTHING`;
    return new BatchWriter<string>({
      items: `rows of ${table}`,
      write: (rows) => poolOf(this.dataSource).query(text, [`[${rows.join(',')}]`]),
      maxBatch: ROWS_PER_INSERT,
      delayMs: DELAY_MS,
      capacity: CAPACITY_CHARACTERS,
      sizeOf: ({ length }) => length,
    });
  }
}
