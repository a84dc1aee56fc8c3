import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  asWritten,
  CommonErrors,
  currentTime,
  DomainError,
  invalid,
  Members,
  own,
  Projects,
  sql,
  Store,
  table,
  type Ctx,
  type Page,
  type Project,
  type SentFile,
  type Sql,
  type Tx,
} from '../../../../kit/index.js';
import { DocumentEvents } from '../../views/documents.events.js';
import type { DocumentTypeVersion } from '../../model/types/document-type-version.entity.js';
import { DocumentTypeFile } from '../../model/types/document-type-file.entity.js';
import type { FurtherTypeFile, TypeFile } from '../../model/types/type-file.js';
import { templateFields } from '../../types/check-definition.js';
import { DocumentType } from '../../model/types/document-type.entity.js';
import { numberAt } from '../../model/records/numbering.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { firstStage, STANDARD_LIFECYCLE } from '../../model/core/lifecycle.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { DocumentViews } from '../../views/document-views.js';
import { Document, type Sending } from '../../model/records/document.entity.js';
import type { CreateDocumentDto, DocumentsQuery } from '../../views/documents.dto.js';
import { checkValues, withDefaults } from '../../model/core/data-values.js';
import { readSending } from '../../model/types/sending.dto.js';
import { changedSending } from '../../model/rules/sending.js';
import { requireDays } from '../../model/rules/value-days.js';
import { DocumentFiles, type NewFile } from '../files/document-files.service.js';
import { adoptedFiles, contentOf, entryOf, FurtherFiles, type NamedFile } from '../files/further-files.service.js';
import { GivenFiles } from '../files/given-files.service.js';
import { requireMemberFields } from './member-fields.js';
import { TokenValuesService } from './token-values.service.js';
import type { AuditEntriesQuery } from './org-documents.dto.js';

const MOST_KNOWN = 1_000;
const checkPublished = (projectId: string, code: string, { type_id, number }: DocumentTypeVersion) => sql`
  SELECT raise_stale_row() WHERE NOT EXISTS (
    SELECT FROM ${table(DocumentType)} t
    WHERE ${own('t')} AND t.code = ${code} AND t.id = ${type_id} AND t.published_version = ${number}
      AND (t.project_id IS NULL OR t.project_id = ${projectId}))`;

/** Properties of a new document that a caller cannot set. */
export interface CreateOptions {
  supersedes_id?: string;
  file?: NewFile | null;
  /** Files that are signed with it, after its own content; those of its type if omitted. */
  further?: readonly NamedFile[];
}

type NewDocument = Omit<CreateDocumentDto, 'project_id' | 'file_url' | 'file_base64'>;

/** The values of a new document, with the version of its type that has accepted them. */
interface CheckedValues extends ReturnType<typeof checkValues> {
  type: DocumentTypeVersion;
  sending: Sending | null;
  token_values: Document['token_values'];
}

/** Creates and reads documents; `DocumentMoves` changes their state. */
@Injectable()
export class DocumentsService {
  /** Published versions by organization, project and code. */
  private readonly known = new LRUCache<string, DocumentTypeVersion>({ max: MOST_KNOWN });

  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly members: Members,
    private readonly versions: TypeVersions,
    private readonly views: DocumentViews,
    private readonly given: GivenFiles,
    private readonly files: DocumentFiles,
    private readonly further: FurtherFiles,
    private readonly tokens: TokenValuesService,
  ) {}

  get(ctx: Ctx, id: string): Promise<Document> {
    return this.store.get(ctx, Document, id);
  }

  page(ctx: Ctx, query: DocumentsQuery): Promise<Page<Document>> {
    return this.store.page(ctx, Document, query, ...conditionsOf(query));
  }

  /** Also of a deleted document. */
  async auditTrail(ctx: Ctx, documentId: string, query: AuditEntriesQuery): Promise<Page<AuditEntry>> {
    const page = await this.store.page(ctx, AuditEntry, query, { document_id: documentId });
    if (page.data.length === 0) await this.store.get(ctx, Document, documentId);
    return page;
  }

  /** With its file, or not at all. */
  async create(ctx: Ctx, body: CreateDocumentDto, sent?: SentFile): Promise<Document> {
    const project = await this.projects.resolve(ctx, body.project_id);
    const given = await this.given.read(body, sent);
    const read = given && (await this.files.read(given));
    const file = read && contentOf({ ...read, fields: [], values: [] });
    return this.store.write(ctx, async (tx) => {
      // no transaction is open yet, so that all its statements can be sent together
      const known = await this.checkedByKnown(ctx, tx, project, body);
      const document = await this.insert(
        ctx,
        tx,
        project,
        known ?? (await this.checkedByCurrent(ctx, project, body)),
        body,
        { file },
        true,
      );
      // last: statements that changes share come first
      if (known) tx.advanced.pipelined.sql(checkPublished(project.id, body.type_code, known.type));
      return document;
    });
  }

  async createIn(ctx: Ctx, tx: Tx, project: Project, body: NewDocument, options: CreateOptions = {}): Promise<Document> {
    return this.insert(ctx, tx, project, await this.checkedByCurrent(ctx, project, body), body, options, false);
  }

  private async insert(
    ctx: Ctx,
    tx: Tx,
    project: Project,
    { type, values, missing, sending, token_values }: CheckedValues,
    body: NewDocument,
    { supersedes_id, file: own, further: given }: CreateOptions,
    pipelined: boolean,
  ): Promise<Document> {
    const file = own ?? (type.file && (await this.fileOfType(ctx, type.file)));
    const further = adoptedBy(type, body, file, given ?? (await this.furtherOfType(ctx, type.files)));
    // nobody fills in the fields of a document that a rule creates
    const fields = { projectId: project.id, isComplete: pipelined };
    const custom_fields = await tx.customFields.ofNew(Document, body.custom_fields, fields);
    const number = await numberAt('create', tx, type, body.type_code, project, ctx, currentTime());
    const row: Partial<Document> = {
      project_id: project.id,
      type_id: type.type_id,
      type_code: body.type_code,
      type_version: type.number,
      number,
      title: body.title,
      state: 'draft',
      lifecycle_stage: firstStage(type.definition.lifecycle ?? STANDARD_LIFECYCLE, 'draft'),
      data_values: values,
      custom_fields,
      token_values,
      missing_required_fields: missing,
      source_ref: body.source_ref ?? null,
      approval_outcome: type.definition.requires_approval ? 'pending' : 'not_required',
      number_repeated: false,
      approval_round: 0,
      sending,
      files: further.map(entryOf),
      supersedes_id: supersedes_id ?? null,
      revision: 1,
      created_by: ctx.actor,
    };
    const document = await (pipelined ? tx.advanced.pipelined : tx).insert(Document, row);
    const entry: Partial<AuditEntry> = {
      project_id: project.id,
      document_id: document.id,
      action: 'papers.create',
      actor: ctx.actor,
      to_state: 'draft',
      status: 'completed',
      detail: { ...(ctx.memberId === null ? {} : { member_id: ctx.memberId }), ...(file ? { file_sha256: file.sha256 } : {}) },
    };
    await tx.advanced.pipelined.insert(AuditEntry, entry);
    if (file) await this.files.add(tx, document, file);
    for (const one of further) await this.further.insert(tx, document, one);
    tx.emit(DocumentEvents.created, { object: await this.views.of(ctx, document), projectId: project.id });
    return document;
  }

  /** A document keeps its file, whatever becomes of the type. */
  private async fileOfType(ctx: Ctx, { id, fields, values }: TypeFile): Promise<NewFile> {
    return contentOf({ ...(await this.store.get(ctx, DocumentTypeFile, id)), fields, values });
  }

  furtherOfType(ctx: Ctx, files: readonly FurtherTypeFile[]): Promise<NamedFile[]> {
    return Promise.all(files.map(async ({ name, bytes, file }) => ({ ...(await this.fileOfType(ctx, file)), name, bytes })));
  }

  /** By the version that was published last, as far as known; null if it has to be read. The change runs again if another one has been. */
  private async checkedByKnown(ctx: Ctx, tx: Tx, project: Project, body: NewDocument): Promise<CheckedValues | null> {
    const type = this.known.get(keyOf(ctx, project.id, body));
    // a change that draws a gapless number should not have to run again
    if (!type || type.definition.numbering?.gapless || !tx.advanced.retryOnConflict()) return null;
    return this.check(ctx, type, project, body).catch((error: unknown) => {
      // another version may accept the values
      if (error instanceof DomainError) return null;
      throw error;
    });
  }

  private async checkedByCurrent(ctx: Ctx, project: Project, body: NewDocument): Promise<CheckedValues> {
    const type = await this.publishedType(ctx, project.id, body.type_code);
    this.known.set(keyOf(ctx, project.id, body), type);
    return this.check(ctx, type, project, body);
  }

  private async check(
    ctx: Ctx,
    type: DocumentTypeVersion,
    { id: project_id, timezone }: Project,
    { type_code, title, data_values = {}, source_ref = null, sending }: NewDocument,
  ): Promise<CheckedValues> {
    const { field_schema } = type.definition;
    const changed = changedSending(null, readSending(sending), timezone, currentTime());
    const { values, missing } = checkValues(field_schema, withDefaults(field_schema, asWritten(field_schema, data_values)));
    requireDays(type.definition, values, timezone);
    await requireMemberFields(ctx, this.members, field_schema, values);
    const token_values = await this.tokens.of(ctx, type, { project_id, type_code, title, source_ref, data_values: values });
    return { type, values, missing, sending: changed, token_values };
  }

  /** The latest published version of a type that the project may use. */
  async publishedType(ctx: Ctx, projectId: string, code: string): Promise<DocumentTypeVersion> {
    const [type] = (await this.store.list(ctx, DocumentType, { code })).filter(
      ({ project_id }) => project_id === null || project_id === projectId,
    );
    if (!type) throw invalid('type_code', `${code} is not a type; use a code that list_document_types returns`);
    if (type.published_version === null)
      throw CommonErrors.validationFailed({ param: 'type_code', message: 'type has no published version' });
    return this.versions.get(ctx, type.id, type.published_version);
  }
}

/** The files of a new document, after its own content. */
function adoptedBy({ definition }: DocumentTypeVersion, { title }: NewDocument, file: NewFile | null, files: readonly NamedFile[]) {
  if (files.length === 0) return [];
  const others = file ? file.fields : templateFields(definition);
  return adoptedFiles(files, { title, files: [], parties: definition.signature_parties, others, known: others });
}

function keyOf({ organizationId }: Ctx, projectId: string, { type_code }: NewDocument): string {
  return `${organizationId} ${projectId} ${type_code}`;
}

function conditionsOf({ source_ref }: DocumentsQuery): Sql[] {
  if (source_ref === undefined) return [];
  return [sql`t.source_ref IS NOT NULL AND COALESCE(t.source_ref ->> 'id', t.source_ref #>> '{}') = ${source_ref}`];
}
