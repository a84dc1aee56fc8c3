// What modules import; they import nothing else from src. The folders, none of which imports one below it:
// - values/   dates, time zones, decimals and money, ids, formats
// - errors/   the declaration of errors, and those that all routes share
// - fields/   the fields of DTOs and queries: declared once, for validation and OpenAPI
// - callers/  who calls, and the contexts of work outside of requests
// - store/    entities, reads, transactions and events
// - services/ what else the platform provides: jobs, mails, members, projects, settings
// - routes/   the declaration of routes, their uploads and their files
// - pages/    HTML
// - csv/      files of comma-separated values, and their imports
// - manifest/ the declaration of a module
// - work/     what the executing code is part of: its time and its trace; values/ may import it
export { dayIn, isInRange, plusDays } from './values/calendar-days.js';
export { decimalOfUnits, exactParts, isExactNumber, plainDecimal, plainNumber, unitsOf, type Decimal } from './values/decimals.js';
export { definedOf } from './values/defined-of.js';
export { DAY_MS, HOUR_MS, MINUTE_MS } from './values/durations.js';
export { firstIdAt } from './values/first-id.js';
export { firstCharacters, isCalendarDay, isCurrency, isEmailAddress, isInstant, isLongerThan, isUuid } from './values/formats.js';
export { isObject } from './values/is-object.js';
export { Lazy } from './values/lazy.js';
export {
  AmountTooLarge,
  amountOf,
  divide,
  includedPercent,
  MAX_AMOUNT,
  minorDigitsOf,
  multiply,
  percentOf,
  shareOut,
  sumOf,
} from './values/money.js';
export { amountText, dayText, timeText } from './values/texts.js';
export { newToken, tokenHash } from './values/public-token.js';
export { canonicalZone, nextChange, offsetAt, TZ_RELEASE } from './values/zone-offsets.js';

export { CommonErrors } from './errors/common-errors.js';
export { defineErrors, DomainError, type ErrorDefinition, type ErrorDetail } from './errors/errors.js';
export { duplicateOf, invalid, notOfProject, notOneOf, requireRoom } from './errors/invalid-values.js';
export { requireCurrency } from './errors/require-currency.js';

export { bothOf, DatedResourceDto, Field, field, fieldsOf, partialOf, pickOf, ResourceDto, shownOf } from './fields/fields.js';
export { responseOf } from './fields/response-of.js';
export { IsAfter } from './fields/is-after.js';
export {
  ActiveLookupQuery,
  constantList,
  Expand,
  Filter,
  listBody,
  Listing,
  ListQuery,
  LookupQuery,
  ProjectListQuery,
  ProjectLookupQuery,
  type ListBody,
  type Page,
} from './fields/list-query.js';
export { asWritten, keepLiteral, rememberLiteral, writtenValue } from './fields/number-literals.js';
export { readFields, validationError } from './fields/read-fields.js';
export { strictSchemas } from './fields/strict-schemas.js';

export { hasAccess, requireAccess, type Access } from './callers/access.js';
export { ActorDto, ActorField } from './callers/actor.dto.js';
export { Contexts, type TokenRow } from './callers/contexts.js';
export { Ctx, type Actor, type Mode } from './callers/ctx.js';
export { Visitor } from './callers/visitor.js';

export { BatchedInserts } from './store/batched-inserts.js';
export { BeforeWrite, type BeforeWriteHandler, type RowWrite } from './store/before-write.js';
export { CachedNames, UNKNOWN_NAME } from './store/cached-names.js';
export { CachedProjectConfig, type RowReader } from './store/cached-project-config.js';
export { BaseEntity, BusinessEntity, ConfigurationEntity, NotAudited, OrganizationEntity, Scoped, TimeColumn } from './store/entities.js';
export { EncryptedColumn } from './store/encrypted-column.js';
export { ObjectColumn } from './store/object-column.js';
export { DifferenceEntity, keepDifferences } from './store/differences.js';
export { CustomFields, CustomFieldTarget, openCustomFields, type CustomFieldValues } from './store/custom-fields.js';
export { EventHistory } from './store/event-history.js';
export {
  changedFrom,
  defineEvents,
  event,
  EventCatalog,
  type CatalogEvent,
  type EventData,
  type EventDefinition,
  type InternalEvent,
} from './store/events.js';
export { own, sql, table, type Sql } from './sql/sql.js';
export {
  activeMember,
  activeMembersOf,
  MAILS,
  memberEmail,
  memberMay,
  objectSha256,
  objectSize,
  organizationName,
  organizationNameOf,
  projectDay,
  projectsWith,
  projectZone,
} from './store/platform-rows.js';
export { requireNew } from './store/require-new.js';
export { rowKey, RowKeys, type RowKey } from './store/row-keys.js';
export { Store, Through, Tx, type Condition, type SqlReader } from './store/store.js';
export { RESTORABLE_DAYS, restorableUntil, type Restorable, type RestoreHandler, type Undo } from './store/restorable.js';

export { Outbound } from './services/outbound.js';
export { Downloads, type DownloadOptions } from './services/downloads.js';
export { CustomFieldCatalog, type CustomFieldDefinition, type CustomFieldRow, type CustomFieldsWanted } from './services/custom-fields.js';
export { AiModel, AiModels, type AiMessage, type AiRequest } from './services/ai-model.js';
export { DOCUMENT_TOKEN_TYPES, DocumentTokenCatalog, DocumentTokens } from './services/document-tokens.js';
export type {
  DeclaredDocumentTokens,
  DocumentTokenDefinition,
  DocumentTokenValue,
  ReadDocumentToken,
  TokenizedDocument,
} from './services/document-tokens.js';
export { FileMissing, FileStorage } from './services/file-storage.js';
export { Files, FileUnavailable, type FileOf } from './services/files.js';
export { Job, Jobs, type EventListener, type JobHandler, type JobRun } from './services/jobs.js';
export { Brands, type PageBrand } from './services/brands.js';
export {
  MAIL_STATUSES,
  Mails,
  type BrandSource,
  type Mail,
  type MailAction,
  type MailBrand,
  type MailContent,
  type MailedFile,
  type MailPart,
  type MailState,
  type MailStatus,
} from './services/mails.js';
export { PaymentProvider, PaymentProviders, PaymentRefused } from './services/payment-provider.js';
export type { PaymentRequest, RequestedPayment, WantedPayment } from './services/payment-provider.js';
export { RequestedPaymentDto, RequestPaymentDto } from './services/requested-payment.dto.js';
export { MailRefused, MailTransport, type OutgoingMail } from './services/mail-transport.js';
export { Members, Projects, type Member, type Project, type ProjectSetup } from './services/people.js';
export { ScheduledJob, type DueRow, type ScheduledJobHandler, type UnscopedSql } from './services/scheduled-jobs.js';
export { Settings } from './services/settings.js';
export { ConfigError } from './settings/config-error.js';
export { moduleSettings } from './settings/module-settings.js';
export { Secret } from './settings/secret.js';
export { optionalSetting, setting } from './settings/setting.js';
export { settingTypes } from './settings/setting-types.js';

export { Accepted } from './routes/accepted.js';
export { BatchErrorDto } from './routes/batch-error.dto.js';
export { CallLog, type CompletedCall } from './routes/call-log.js';
export { Endpoint, Id, Public } from './routes/endpoint.js';
export { FileResponse } from './routes/file-response.js';
export type { FormPart } from './routes/multipart.js';
export { projectLookup, ProjectDto } from './routes/project-lookup.js';
export { bytesOfBase64, SentFile, SentFiles, Upload, Uploaded } from './routes/upload.js';

export { brandTone } from './pages/brand-color.js';
export { escapeHtml } from './pages/escape-html.js';
export { html, Html } from './pages/html.js';
export { honeypot, labelled, paragraphs, problemNote, statusNote, tickable, type FormProblem } from './pages/page-parts.js';
export { page, PRIVATE_HEADERS, redirect } from './pages/page.js';
export { qrCode, type QrCode } from './pages/qr-code.js';
export { stylesheet } from './pages/stylesheets.js';

export { cellHint, CsvLocale, damageOfCell, dayOfCell, decimalOfCell, flagOfCell } from './csv/csv-locale.js';
export type { CsvSource } from './csv/csv-encoding.js';
export { DELIMITER_NAMES, inspectCsv, readCsv, type CsvLimits, type CsvReading, type CsvRows } from './csv/csv-rows.js';
export { csvText } from './csv/csv-text.js';
export { dryRun } from './csv/dry-run.js';
export type { RawRow } from './csv/import-cells.js';
export { ImportQuery, ImportResultDto, LOCALE_FIELD, MoneyImportQuery, type ImportRowErrorDto } from './csv/import.dto.js';
export {
  csvUpload,
  IMPORT_LIMITS,
  importResult,
  readImport,
  refusalOf,
  writeRows,
  type ImportFile,
  type ValidRow,
} from './csv/import-rows.js';

export type { DemoAddress, DemoMember, DemoPerson, DemoProject, DemoWorkspace, ModuleDemo } from './manifest/demo.js';
export type { DocumentationPage, DocumentedModule } from './manifest/documentation.js';
export { DomainModule, type DomainModuleOptions } from './manifest/domain-module.js';
export type { EventTriggers, TriggerJob, TriggerStep } from './manifest/event-triggers.js';
export type { AgentWords } from './manifest/agent-words.js';
export type { ConsolePage } from './manifest/console-page.js';
export type { ConsoleSubject } from './manifest/console-subject.js';
export type { LegalHold } from './manifest/legal-hold.js';
export type { ModuleKeys } from './manifest/module-keys.js';
export type { DefaultRole, PermissionDefinition, PermissionDefinitions } from './manifest/permissions.js';
export {
  containsAddress,
  ERASED_EMAIL,
  ERASED_NAME,
  ERASED_TEXT,
  personalData,
  type Person,
  type PersonalData,
} from './manifest/personal-data.js';
export { safeFileName } from './values/safe-file-name.js';

export { currentTime, realTime } from './work/current-time.js';
export type { SpanAttributes } from './work/span.js';
export { inSpan } from './work/spans.js';
