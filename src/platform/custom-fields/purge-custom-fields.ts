import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RESTORABLE_DAYS } from '../../kit/index.js';
import { poolOf } from '../persistence/database/pool.js';
import { hasValue } from '../persistence/rows/custom-field-sql.js';
import { ScheduledJobRunner, type ScheduledWork } from '../scheduled-jobs/scheduled-job-runner.js';
import { CustomFieldIndexes } from './custom-field-indexes.js';
import { CustomFieldResources } from './custom-field-resources.js';

const BATCH = 5_000;

interface DeletedField {
  id: string;
  organization_id: string;
  project_id: string | null;
  resource: string;
  key: string;
}

/** Deletes the values of fields that were deleted 30 days ago, then the fields, and the indexes that nothing needs any more. */
@Injectable()
export class PurgeCustomFields implements ScheduledWork {
  readonly name = 'custom_fields.purge';
  readonly everySeconds = 60 * 60;

  constructor(
    private readonly dataSource: DataSource,
    private readonly resources: CustomFieldResources,
    private readonly indexes: CustomFieldIndexes,
    runner: ScheduledJobRunner,
  ) {
    runner.register(this);
  }

  async run(now: Date, signal: AbortSignal): Promise<void> {
    const { rows } = await poolOf(this.dataSource).query<DeletedField>(
      `SELECT id, organization_id, project_id, resource, key FROM custom_fields
       WHERE deleted_at < $1::timestamptz - $2 * interval '1 day' ORDER BY id`,
      [now, RESTORABLE_DAYS],
    );
    for (const field of rows) await this.purge(field, signal);
    await this.indexes.reconcile(signal);
  }

  /** Nobody sees the values, so neither version nor events change. Without its module, a field waits for the module's return. */
  private async purge({ id, organization_id, project_id, resource, key }: DeletedField, signal: AbortSignal): Promise<void> {
    const table = this.resources.find(resource)?.table;
    if (table === undefined) return;
    for (let changed: number | null = BATCH; changed === BATCH;) {
      signal.throwIfAborted();
      ({ rowCount: changed } = await poolOf(this.dataSource).query(
        `UPDATE "${table}" SET custom_fields = custom_fields - $1::text WHERE id IN (
           SELECT t.id FROM "${table}" t WHERE t.organization_id = $2 AND ($3::uuid IS NULL OR t.project_id = $3) AND ${hasValue(key)}
           LIMIT ${BATCH} FOR UPDATE)`,
        [key, organization_id, project_id],
      ));
    }
    await poolOf(this.dataSource).query('DELETE FROM custom_fields WHERE id = $1 AND deleted_at IS NOT NULL', [id]);
  }
}
