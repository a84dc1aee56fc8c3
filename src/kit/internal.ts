// The platform's face of the kit: what it reads of a module's declarations, and the types that only it needs.
export { preferredType } from './accepted.js';
export { manifestOf, type Manifest } from './domain-module.js';
export { endpointOf, publicOf, type EndpointOptions } from './endpoint.js';
export { scopingOf, type Scoping } from './entities.js';
export type { ErrorSpec } from './errors.js';
export type { EventBody, EventData, EventDefinition } from './events.js';
export { UUID_PATTERN } from './formats.js';
export type { FieldSpec } from './field-specification.js';
export { jobOf, type JobOptions } from './jobs.js';
export { listingOf } from './list-query.js';
export type { RetentionRule } from './retention.js';
export { scheduledJobOf, type ScheduledJobOptions } from './scheduled-jobs.js';
export type { AiSettings, SealSettings } from './settings.js';
export type { WriteOptions } from './store.js';
export { sweepOf } from './sweeps.js';
