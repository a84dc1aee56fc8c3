// Exports for the platform: functions that read a module's declarations, and types that modules do not need.
export { preferredType } from './accepted.js';
export { canonicalOf } from './canonical-value.js';
export { manifestOf, type Manifest } from './domain-module.js';
export { endpointOf, publicOf, type EndpointOptions, type PublicOptions } from './endpoint.js';
export { scopingOf, type Scoping } from './entities.js';
export type { ErrorSpec } from './errors.js';
export type { EventBody, EventData, EventDefinition } from './events.js';
export { UUID_PATTERN } from './formats.js';
export type { FieldSpec } from './field-specification.js';
export { PAGE_STYLE, PAGE_STYLE_FILE } from './page-style.js';
export { jobOf, type JobOptions } from './jobs.js';
export { listingOf } from './list-query.js';
export { faultOf } from './read-fields.js';
export { readMultipart } from './multipart.js';
export type { RetentionRule } from './retention.js';
export { scheduledJobOf, type ScheduledJobOptions } from './scheduled-jobs.js';
export type { AiSettings, SealSettings } from './settings.js';
export type { WriteOptions } from './store.js';
