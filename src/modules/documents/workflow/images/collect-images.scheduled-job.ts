import { ScheduledJob, sql, table, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../../kit/index.js';
import { DocumentImage } from '../../model/records/document-image.entity.js';
import { Images } from './images.service.js';

/** Deletes pictures that were uploaded and that nothing names after 30 days. */
@ScheduledJob({
  name: 'documents.unused_images',
  everySeconds: 3_600,
})
export class CollectImages implements ScheduledJobHandler {
  constructor(private readonly images: Images) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT i.id, i.organization_id, i.project_id, i.mode FROM ${table(DocumentImage)} i WHERE i.kept_until <= ${now}`;
  }

  handle(ctx: Ctx, { id }: DueRow, now: Date): Promise<void> {
    return this.images.collect(ctx, id, now);
  }
}
