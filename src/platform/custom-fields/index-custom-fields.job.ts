import { Injectable } from '@nestjs/common';
import { Job, type Ctx, type JobHandler, type JobRun } from '../../kit/index.js';
import { CustomFieldIndexes } from './custom-field-indexes.js';

/** Builds the indexes of fields that have become filterable. */
@Injectable()
@Job({
  name: 'platform.index_custom_fields',
})
export class IndexCustomFields implements JobHandler {
  constructor(private readonly indexes: CustomFieldIndexes) {}

  run(_: Ctx, __: object, { signal }: JobRun): Promise<void> {
    return this.indexes.reconcile(signal);
  }
}
