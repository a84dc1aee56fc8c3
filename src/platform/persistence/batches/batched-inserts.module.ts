import { Module } from '@nestjs/common';
import { BatchedInserts } from '../../../kit/index.js';
import { PgBatchedInserts } from './pg-batched-inserts.js';

/** Not global, so that Nest shuts it down before the global modules, one of which closes the database. */
@Module({
  providers: [PgBatchedInserts, { provide: BatchedInserts, useExisting: PgBatchedInserts }],
  exports: [BatchedInserts],
})
export class BatchedInsertsModule {}
