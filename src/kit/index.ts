// Exports for modules, which import nothing else from src.
export { Accepted } from './accepted.js';
export { requireAccess, type Access } from './access.js';
export { ActorDto } from './actor.dto.js';
export { FileResponse } from './file-response.js';
export { BatchErrorDto } from './batch-error.dto.js';
export { BatchedInserts } from './batched-inserts.js';
export { CachedNames } from './cached-names.js';
export { CachedProjectConfig, type RowReader } from './cached-project-config.js';
export { dayIn, plusDays } from './calendar-days.js';
export { CallLog, type CompletedCall } from './call-log.js';
export { CommonErrors } from './common-errors.js';
export { Contexts, type Tenant, type TokenRow } from './contexts.js';
export { inspectCsv, readCsv, readCsvTable, type CsvLimits, type CsvRows } from './csv-rows.js';
export { Ctx, type Actor, type Mode } from './ctx.js';
export { decimalOfUnits, plainDecimal, unitsOf, type Decimal } from './decimals.js';
export { definedOf } from './defined-of.js';
export type { DocumentationPage } from './documentation.js';
export { DomainModule, type DomainModuleOptions } from './domain-module.js';
export { Endpoint, Id, Public } from './endpoint.js';
export { BaseEntity, BusinessEntity, ConfigurationEntity, OrganizationEntity, Scoped } from './entities.js';
export { escapeHtml } from './escape-html.js';
export { defineErrors, DomainError, type ErrorDefinition, type ErrorDetail } from './errors.js';
export {
  changedFrom,
  defineEvents,
  event,
  EventCatalog,
  type CatalogEvent,
  type EventData,
  type EventDefinition,
  type InternalEvent,
} from './events.js';
export { bothOf, Field, field, fieldsOf, partialOf, pickOf, ResourceDto } from './fields.js';
export { firstIdAt } from './first-id.js';
export { firstCharacters, isCalendarDay, isEmailAddress, isInstant, isLongerThan, isUuid } from './formats.js';
export { html, Html, type HtmlValue } from './html.js';
export { Job, Jobs, type JobHandler, type JobRun } from './jobs.js';
export {
  IMPORT_LIMITS,
  importResult,
  ImportResultDto,
  ImportRowErrorDto,
  readImport,
  refusalOf,
  type ImportFile,
  type ValidRow,
} from './import-rows.js';
export { Lazy } from './lazy.js';
export { constantList, Expand, Filter, listBody, Listing, ListQuery, LookupQuery, type ListBody, type Page } from './list-query.js';
export { Mails, type Mail, type MailState, type MailStatus } from './mails.js';
export { AmountTooLarge, amountOf, divide, includedPercent, MAX_AMOUNT, multiply, percentOf, shareOut, sumOf } from './money.js';
export { brandTone } from './brand-color.js';
export { page, PRIVATE_HEADERS, redirect, type PageBrand, type PageHost } from './page.js';
export { honeypot, labelled, paragraphs, problemNote, statusNote, tickable, type FormProblem, type Labelled } from './page-parts.js';
export { newToken, tokenHash } from './public-token.js';
export type { FormPart } from './multipart.js';
export { projectLookup, ProjectDto, ProjectsQuery } from './project-lookup.js';
export { Members, Projects, type Member, type Project, type ProjectSetup } from './people.js';
export { ScheduledJob, type DueQuery, type DueRow, type ScheduledJobHandler, type UnscopedSql } from './scheduled-jobs.js';
export { readFields, validationError } from './read-fields.js';
export { Settings } from './settings.js';
export { Store, Tx, type Condition, type SqlReader, type Where } from './store.js';
export { strictSchemas } from './strict-schemas.js';
export { stylesheet } from './stylesheets.js';
export { Upload, Uploaded } from './upload.js';
export { Visitor } from './visitor.js';
export { canonicalZone, nextChange, offsetAt, TZ_RELEASE } from './zone-offsets.js';
