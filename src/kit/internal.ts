// What the platform and the console import besides index.ts: functions that read declarations, and what no module needs.
export { decimalPattern, isDecimalPattern } from './values/decimals.js';
export { pascalCase, snakeCase } from './values/name-cases.js';
export { UUID_PATTERN } from './values/formats.js';
export { newId } from './values/new-id.js';
export { constraintError, declareConstraints, definitionOf } from './errors/constraint-errors.js';
export type { ErrorDefinition, ErrorSpec } from './errors/errors.js';
export { mayRequire, ruleFaults } from './fields/class-rules.js';
export { canonicalOf, comparedOf } from './fields/canonical-value.js';
export { jsonSchemaOf } from './fields/field-schema.js';
export type { FieldSpec } from './fields/field-specification.js';
export { listingOf, MOST_COUNTED } from './fields/list-query.js';
export { applyOpenApiMetadata, schemaName } from './fields/openapi-metadata.js';
export { faultOf } from './fields/read-fields.js';
export { lacksPermission, lacksScope } from './callers/access.js';
export type { Tenant } from './callers/contexts.js';
export { declareHooks, errorsBeforeWriting, hookOf } from './store/before-write.js';
export { isRestorableDeletion, restorableOf, undoOf, type OwnedRestorable, type Restorable } from './store/restorable.js';
export { severalRows, type Candidate } from './store/row-keys.js';
export { Bin } from './services/bin.js';
export { memberRestorings, restoringOperation, type MemberRestoring } from './routes/restore-routes.js';
export {
  CustomFieldChecks,
  customFieldEntities,
  customFieldResource,
  customFieldTargets,
  type CustomFieldOptions,
} from './store/custom-fields.js';
export { declareEvents, isDeclaredEvent, undeclaredIn } from './store/definitions.js';
export { isAudited, scopingOf, type Scoping } from './store/entities.js';
export { allEncryptedColumns, encryptedColumnsOf } from './store/encrypted-column.js';
export { objectColumns } from './store/object-column.js';
export type { EventBody } from './store/events.js';
export { addressPattern, wordPattern } from './manifest/personal-data.js';
export { CallerValue, OwnRows, PlacedValues, platformSql, Sql, TableName } from './sql/sql.js';
export { AdvancedTx, PipelinedWrites, type Amounts, type AuditRecord } from './store/advanced.js';
export type { DeleteOptions, NumberOptions, ReferenceOptions, SqlOptions, Where } from './store/store.js';
export type { MemberColumns, NamedRow } from './services/people.js';
export { jobOf, type JobOptions } from './services/jobs.js';
export { scheduledJobOf, type ScheduledJobOptions } from './services/scheduled-jobs.js';
export { csvLines } from './csv/csv-text.js';
export { settingsOf, type SettingsClass } from './settings/module-settings.js';
export type { Settable, Setting, ValuesOf } from './settings/setting.js';
export { CustomFieldDto } from './routes/custom-field-lookup.js';
export { preferredType } from './routes/accepted.js';
export {
  ANY_ID,
  ENDPOINT_KEYS,
  NESTED_ENDPOINT_KEYS,
  endpointOf,
  isEventStream,
  publicOf,
  type EndpointOptions,
  type FilesOption,
  type PublicOptions,
} from './routes/endpoint.js';
export { ContextQuery } from './routes/context-lookup.js';
export { memberOperation } from './routes/member-routes.js';
export { readMultipart } from './routes/multipart.js';
export { ProjectsQuery } from './routes/project-lookup.js';
export type { HtmlValue } from './pages/html.js';
export { hexOf } from './pages/brand-color.js';
export type { Labelled } from './pages/page-parts.js';
export { PAGE_STYLE, SUITE_ACCENT } from './pages/page-style.js';
export { icon, ICON_SHEET, type IconName } from './pages/icons.js';
export { stylesheetOf } from './pages/stylesheets.js';
export { SUITE_BRAND, SUITE_HEAD } from './pages/suite-head.js';
export { typefacePath } from './pages/typefaces.js';
export { isDomainModule, MANIFEST_KEYS, manifestOf, type Manifest } from './manifest/domain-module.js';
export { placeOfManifest, sourceOf } from './manifest/source-file.js';
export { DEFAULT_ROLES } from './manifest/permissions.js';
export type { RetentionRule } from './manifest/retention.js';
export { UNSAFE_IN_FILE_NAMES } from './values/safe-file-name.js';
export { asOfClock } from './work/current-time.js';
export type { Span, SpanOptions, Tracer } from './work/span.js';
export { currentTraceparent, currentTracer, traceWith } from './work/spans.js';
export { currentWork, inWork, outsideOfWork, Work, type WorkFields } from './work/work.js';
