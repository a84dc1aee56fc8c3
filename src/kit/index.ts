// The one public face of the kit: a module's author imports from here and from nowhere else in src.
export { Accepted, preferredType } from './accepted.js';
export { ActorDto } from './actor.dto.js';
export { FileAnswer, type FileAnswerOptions } from './answers.js';
export { BatchedInserts } from './batched-inserts.js';
export { CallLog, type AnsweredCall } from './call-log.js';
export { CommonErrors } from './common-errors.js';
export { Contexts, type Place } from './contexts.js';
export { Ctx, type Actor, type Mode } from './ctx.js';
export { DomainModule, manifestOf, type DomainModuleOptions, type Manifest } from './domain-module.js';
export { Endpoint, endpointOf, Id, Public, publicOf, type DeprecationOptions, type EndpointOptions } from './endpoint.js';
export { BaseEntity, BusinessEntity, ConfigurationEntity, OrganizationEntity, Scoped, scopingOf, type Scoping } from './entities.js';
export {
  defineErrors,
  DomainError,
  type ErrorDefinition,
  type ErrorDetail,
  type ErrorOccurrence,
  type ErrorSpec,
  type ErrorType,
} from './errors.js';
export {
  changedFrom,
  defineEvents,
  event,
  InternalEvents,
  type EventBody,
  type EventData,
  type EventDefinition,
  type InternalEvent,
} from './events.js';
export { bothOf, Field, field, fieldsOf, partialOf, pickOf, ResourceDto } from './fields.js';
export type { FieldSpec } from './field-spec.js';
export { firstIdAt } from './first-id.js';
export { Job, jobOf, Jobs, type JobHandler, type JobOptions, type JobRun } from './jobs.js';
export {
  constantList,
  Expand,
  Filter,
  listBody,
  Listing,
  listingOf,
  ListQuery,
  LookupQuery,
  type ListBody,
  type ListingOptions,
  type Page,
} from './list-query.js';
export { Maintenance } from './maintenance.js';
export { Mails, type Mail, type MailState, type MailStatus } from './mails.js';
export { Members, Projects, type Member, type Project, type ProjectSetup } from './people.js';
export type { RetentionRule } from './retention.js';
export {
  ScheduledJob,
  scheduledJobOf,
  type DueQuery,
  type DueRow,
  type ScheduledJobHandler,
  type ScheduledJobOptions,
} from './scheduled-jobs.js';
export { Settings, type AiSettings, type SealSettings } from './settings.js';
export { Store, Tx, type Condition, type Where, type WriteOptions } from './store.js';
export { Sweep, sweepOf, type SweepHandler, type SweepOptions } from './sweeps.js';
export { Upload, Uploaded } from './upload.js';
export { Visitor } from './visitor.js';
