import { Injectable } from '@nestjs/common';
import { Store, type Ctx, type Page } from '../../kit/index.js';
import { ConsentRecord } from './consent-record.entity.js';
import type { ConsentRecordsQuery } from './org-leads.dto.js';

/** Reads the consent log; it is written where consent is, in `consent.ts`. */
@Injectable()
export class ConsentLog {
  constructor(private readonly store: Store) {}

  /** Of a deleted lead or contact too: the log outlives it, so an unknown id has an empty one. */
  page(ctx: Ctx, resourceId: string, query: ConsentRecordsQuery): Promise<Page<ConsentRecord>> {
    return this.store.page(ctx, ConsentRecord, query, { sql: 't.resource_id = :resourceId', values: { resourceId } });
  }
}
