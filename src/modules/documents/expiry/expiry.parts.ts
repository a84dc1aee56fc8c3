import type { DomainModuleOptions } from '../../../kit/index.js';
import { ExpireDocuments } from './expire-documents.sweep.js';
import { RemindValidity } from './remind-validity.sweep.js';

/** `expiry/`: reminds of the end of validity; expires what was not signed in time or is no longer valid. */
export const EXPIRY = {
  sweeps: [ExpireDocuments, RemindValidity],
} satisfies Partial<DomainModuleOptions>;
