import type { DomainModuleOptions } from '../../../kit/index.js';
import { BulkSend, BulkSendRow } from './bulk-send.entity.js';
import { BulkSendsController } from './bulk-sends.controller.js';
import { BulkSends } from './bulk-sends.service.js';
import { RunBulkSend } from './run-bulk-send.job.js';

/** `bulk/`: sends documents of one type to many recipients with one call. */
export const BULK = {
  entities: [BulkSend, BulkSendRow],
  controllers: [BulkSendsController],
  providers: [BulkSends],
  jobs: [RunBulkSend],
  // how long a row's key keeps it from being sent again; its values are in the document
  retention: [{ table: 'document_bulk_sends', column: 'created_at', keepDays: 90, where: 'finished_at IS NOT NULL', batch: 100 }],
} satisfies Partial<DomainModuleOptions>;
