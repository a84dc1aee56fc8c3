import { Injectable } from '@nestjs/common';
import { asWritten, Members, Projects, Store, type Ctx, type RestoreHandler, type Tx } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { STATE_MOVES, type DocumentState } from '../../model/core/document-states.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { DocumentFile } from '../../model/records/document-file.entity.js';
import { typeAt } from '../../model/core/field-schema.js';
import type { DocumentTypeVersion } from '../../model/types/document-type-version.entity.js';
import type { FurtherTypeFile } from '../../model/types/type-file.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';
import type { NewFile } from '../files/document-files.service.js';
import { arranged } from '../../model/core/file-names.js';
import { contentOf, FurtherFiles, type NamedFile } from '../files/further-files.service.js';
import { Document, givenSending } from '../../model/records/document.entity.js';
import { DocumentsService } from './documents.service.js';
import { readSending } from '../../model/types/sending.dto.js';
import { changedSending } from '../../model/rules/sending.js';
import { requireDays } from '../../model/rules/value-days.js';
import { requireMemberFields } from './member-fields.js';
import { TokenValuesService } from './token-values.service.js';
import { withoutCalculated } from '../../model/core/calculated-values.js';
import { checkValues } from '../../model/core/data-values.js';
import type { ReplaceDocumentDto, UpdateDocumentDto } from './org-documents.dto.js';

/** In all other states somebody relies on the content of the document. */
const EDITABLE: readonly DocumentState[] = ['draft', 'returned'];
const DELETABLE: readonly DocumentState[] = ['draft'];
/** A document that can be superseded can get a replacement. */
const REPLACEABLE = STATE_MOVES.filter(({ trigger }) => trigger === 'supersede').flatMap(({ from }) => from);

/** Edits, deletes and restores documents, and creates replacements. */
@Injectable()
export class DocumentEditing implements RestoreHandler<Document> {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly members: Members,
    private readonly versions: TypeVersions,
    private readonly documents: DocumentsService,
    private readonly further: FurtherFiles,
    private readonly tokens: TokenValuesService,
  ) {}

  update(ctx: Ctx, id: string, { title, data_values, custom_fields, source_ref, sending, files }: UpdateDocumentDto): Promise<Document> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.target(Document, id);
      requireState(document, EDITABLE, 'be changed');
      const type = await this.versions.get(ctx, document.type_id, document.type_version);
      const { definition } = type;
      const { field_schema } = definition;
      const { values, missing } = checkValues(field_schema, {
        ...withoutCalculated(field_schema, document.data_values),
        ...asWritten(field_schema, data_values ?? {}),
      });
      const { timezone } = await this.projects.get(ctx, document.project_id);
      requireDays(definition, values, timezone);
      await requireMemberFields(ctx, this.members, field_schema, values, document.data_values);
      const { project_id, type_code, token_values } = document;
      const tokenized = {
        project_id,
        type_code,
        title: title ?? document.title,
        source_ref: source_ref === undefined ? document.source_ref : source_ref,
        data_values: values,
      };
      const updated = await tx.update(document, {
        token_values: await this.tokens.of(ctx, type, tokenized, token_values),
        title,
        source_ref,
        files: files && arranged({ title: title ?? document.title, files: document.files }, files, 'files'),
        sending: changedSending(document.sending, readSending(sending), timezone, tx.startedAt),
        data_values: values,
        custom_fields: await tx.customFields.ofChanged(document, custom_fields),
        missing_required_fields: missing,
      });
      if (updated.version !== document.version)
        await tx.insert(AuditEntry, {
          project_id: document.project_id,
          document_id: id,
          action: 'papers.update',
          actor: ctx.actor,
          from_state: document.state,
          to_state: document.state,
        });
      return updated;
    });
  }

  /** Deletes a draft with all that belongs to it but its audit trail, which gets an entry for this. */
  delete(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.target(Document, id);
      requireState(document, DELETABLE, 'be deleted');
      if (document.revision > 1)
        throw DocumentErrors.invalidTransition({
          message: 'A draft that was reopened cannot be deleted: its earlier revisions are kept.',
        });
      const { title, number, type_code } = document;
      await tx.insert(AuditEntry, {
        project_id: document.project_id,
        document_id: id,
        action: 'papers.delete',
        actor: ctx.actor,
        from_state: document.state,
        detail: { title, number, type_code },
      });
      await tx.delete(document);
    });
  }

  async restored(ctx: Ctx, tx: Tx, { id, project_id, state }: Document): Promise<void> {
    await tx.insert(AuditEntry, { project_id, document_id: id, action: 'papers.restore', actor: ctx.actor, to_state: state });
  }

  replace(ctx: Ctx, id: string, { title, data_values, custom_fields, source_ref }: ReplaceDocumentDto): Promise<Document> {
    return this.store.write(ctx, async (tx) => {
      const replaced = await tx.target(Document, id);
      requireState(replaced, REPLACEABLE, 'be replaced');
      const project = await this.projects.get(ctx, replaced.project_id);
      const type = await this.documents.publishedType(ctx, replaced.project_id, replaced.type_code);
      const { definition } = type;
      const known = definition.field_schema.properties;
      // a newer version of the type may no longer have every field
      const before = await this.versions.get(ctx, replaced.type_id, replaced.type_version);
      // fields that were empty in the replaced document stay empty, even if they have a default
      const empty = Object.fromEntries(Object.keys(before.definition.field_schema.properties).map((name) => [name, null]));
      const kept = Object.fromEntries(Object.entries({ ...empty, ...replaced.data_values }).filter(([name]) => Object.hasOwn(known, name)));
      const body = {
        type_code: replaced.type_code,
        title: title ?? replaced.title,
        data_values: { ...withoutCalculated(definition.field_schema, kept), ...asWritten(definition.field_schema, data_values ?? {}) },
        custom_fields: { ...replaced.custom_fields, ...custom_fields },
        source_ref: source_ref === undefined ? replaced.source_ref : source_ref,
        // a deadline of the replaced document is no deadline of this one
        sending: { ...givenSending(replaced.sending), sign_by: null },
      };
      const [file] = await tx.list(DocumentFile, { document_id: id, is_main: true });
      return this.documents.createIn(ctx, tx, project, body, {
        supersedes_id: replaced.id,
        file: file && file.sha256 !== before.file?.sha256 ? copyOf(file, definition) : null,
        further: [
          ...(await this.documents.furtherOfType(ctx, keptOfType(replaced, before, type))),
          ...(await this.further.of(tx, replaced)).filter((one) => !isOfType(one, before)).map((one) => withKnownValues(one, definition)),
        ],
      });
    });
  }
}

/** The file of a replaced document, with the fields of the parties that the type still has. */
function copyOf(file: DocumentFile, { signature_parties }: TypeDefinition): NewFile {
  const parties = signature_parties.map(({ key }) => key);
  return contentOf({ ...file, fields: file.fields.filter(({ party }) => parties.includes(party)) });
}

/** The files of the type as it is now, without those that the replaced document no longer had. */
function keptOfType({ files }: Document, before: DocumentTypeVersion, { files: current }: DocumentTypeVersion): FurtherTypeFile[] {
  const removed = before.files.filter(({ file }) => !files.some(({ sha256 }) => sha256 === file.sha256));
  return current.filter(({ id }) => !removed.some((one) => one.id === id));
}

function isOfType({ sha256 }: NamedFile, { files }: DocumentTypeVersion): boolean {
  return files.some(({ file }) => file.sha256 === sha256);
}

/** A newer version of the type may no longer have every field whose value the file prints. */
function withKnownValues(file: NamedFile, { field_schema }: TypeDefinition): NamedFile {
  return { ...file, values: file.values.filter(({ data_field }) => typeAt(field_schema, data_field) !== null) };
}

function requireState({ state }: Document, allowed: readonly DocumentState[], what: string): void {
  if (allowed.includes(state)) return;
  throw DocumentErrors.invalidTransition({
    message: `A document in the state ${state} cannot ${what}; it must be ${allowed.join(' or ')}.`,
    allowed,
  });
}
