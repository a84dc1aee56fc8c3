import type { DomainModuleOptions } from '../../../kit/index.js';
import { ExpireDocuments } from './expire-documents.scheduled-job.js';
import { RemindValidity } from './remind-validity.scheduled-job.js';

/** `expiry/`: reminds of the end of validity; expires what was not signed in time or is no longer valid. */
export const EXPIRY = {
  scheduledJobs: [ExpireDocuments, RemindValidity],
} satisfies Partial<DomainModuleOptions>;
