import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import {
  CommonErrors,
  DAY_MS,
  Files,
  invalid,
  RESTORABLE_DAYS,
  sql,
  Store,
  type Ctx,
  type SentFile,
  type Tx,
} from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { freeName, lastSegment, nameOf, requireFreeName } from '../../model/core/file-names.js';
import type { PlacedField } from '../../model/core/placed-fields.js';
import { DocumentFile } from '../../model/records/document-file.entity.js';
import { Document, type FurtherFile } from '../../model/records/document.entity.js';
import { Rendition } from '../../model/records/rendition.entity.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { adoptedFields } from './adopted-fields.js';
import type { FileInDocument } from './document-files.dto.js';
import { DocumentFiles, factsOf, requireFew, requireNamed, type NewFile } from './document-files.service.js';
import { MOST_FILES, type AddDocumentFileDto } from './further-files.dto.js';
import { FILE_FIELDS, GivenFiles, type GivenFile } from './given-files.service.js';

/** A file with the name that it has where it comes from, if it has one, and what stands on it there. */
interface Source extends GivenFile {
  name: string | null;
  fields: readonly PlacedField[];
}

/** A file of a document or type that a document takes over. */
export interface NamedFile extends NewFile {
  name: string;
  bytes: number;
}

/** With the id that it gets. */
export interface AdoptedFile extends NamedFile {
  id: string;
}

/** The document that takes over files. */
interface Adopter {
  title: string;
  /** That it has already. */
  files: readonly { name: string }[];
  parties: readonly { key: string }[];
  /** What stands on its other files. */
  others: readonly PlacedField[];
  /** Of `others`, those that expressions on the files name. */
  known: readonly PlacedField[];
}

/** The files that are signed with a document, after its own content. Its row has their order and their names. */
@Injectable()
export class FurtherFiles {
  constructor(
    private readonly store: Store,
    private readonly objects: Files,
    private readonly versions: TypeVersions,
    private readonly given: GivenFiles,
    private readonly files: DocumentFiles,
  ) {}

  /**
   * Adds all files of another document, the one that is given, or one that was removed; returns the first. Reads them before the
   * transaction: it takes long.
   */
  async add(ctx: Ctx, documentId: string, body: AddDocumentFileDto, sent: SentFile | undefined): Promise<FileInDocument> {
    requireOneSource(body, sent);
    const { removed_file_id: removedId } = body;
    const sources = removedId === undefined ? await this.sources(ctx, body, sent) : [];
    const param = sources.at(0)?.param ?? 'removed_file_id';
    const given: NamedFile[] = [];
    for (const source of sources) {
      const { title, ...content } = await this.files.read(source);
      given.push({ ...content, name: source.name ?? nameOf(title), bytes: content.pdf.length, fields: [...source.fields], values: [] });
    }
    return this.store.write(ctx, async (tx) => {
      const document = await this.files.editable(tx, documentId);
      const { files } = document;
      const removed = removedId === undefined ? null : await this.removed(tx, documentId, removedId);
      const read = removed ? [{ ...contentOf(removed), ...(removed.removed_as as FurtherFile) }] : given;
      if (files.length + read.length >= MOST_FILES) throw invalid(param, `is too much: a document has at most ${MOST_FILES} files`);
      const name = body.name?.trim();
      if (name !== undefined) requireFreeName(name, document);
      const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
      // of no file that is there already
      const others = await this.files.fieldsBeside(ctx, tx, document, documentId);
      const named = name === undefined ? read : read.map((one, index) => (index === 0 ? { ...one, name } : one));
      const { title } = document;
      const adopter = { title, files, parties: definition.signature_parties, others, known: removed ? others : [] };
      const added = adoptedFiles(named, adopter).map((one) => (removed ? { ...one, id: removed.id } : one));
      requireFew(
        added.reduce((count, { fields }) => count + fields.length, others.length),
        param,
      );
      const rows: DocumentFile[] = [];
      for (const file of added) {
        await this.files.requireRoom(tx, documentId, entryOf(file), param);
        const back = { removed_at: null, removed_as: null, fields: file.fields };
        rows.push(removed ? await tx.update(removed, back) : await this.insert(tx, document, file));
        await this.files.record(ctx, tx, document, { [removed ? 'restored_file_id' : 'file_id']: file.id, file_sha256: file.sha256 });
      }
      await tx.update(document, { files: [...files, ...added.map(entryOf)] });
      return { id: added[0].id, position: files.length + 2, name: added[0].name, file: rows[0] };
    });
  }

  /** The row stays as long as this can be undone. */
  remove(ctx: Ctx, documentId: string, fileId: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const document = await this.files.editable(tx, documentId);
      const file = document.files.find(({ id }) => id === fileId);
      if (!file) throw CommonErrors.notFound();
      requireNamed(await this.files.fieldsBeside(ctx, tx, document, fileId));
      await tx.update(document, { files: document.files.filter((one) => one !== file) });
      const [row] = await tx.list(DocumentFile, { document_id: documentId, id: fileId });
      await tx.advanced.remove(row, { removed_at: tx.startedAt, removed_as: file });
      await this.files.record(ctx, tx, document, { removed_file_id: fileId, file_sha256: file.sha256 });
    });
  }

  /** With what stands on them. */
  async of(tx: Tx, { files }: Document): Promise<NamedFile[]> {
    const rows = files.length === 0 ? [] : await tx.list(DocumentFile, { id: files.map(({ id }) => id) });
    return files.map(({ id, name, bytes }) => ({ ...contentOf(rows.find((row) => row.id === id) as DocumentFile), name, bytes }));
  }

  /** A file that the document's row lists. */
  insert(tx: Tx, { id: document_id, project_id }: Document, { name: _, bytes: _bytes, ...file }: AdoptedFile): Promise<DocumentFile> {
    return this.files.insert(tx, { project_id, document_id, is_main: false, ...file });
  }

  private async sources(
    ctx: Ctx,
    { from_document_id: fromId, ...body }: AddDocumentFileDto,
    sent: SentFile | undefined,
  ): Promise<Source[]> {
    if (fromId !== undefined) return this.frozen(ctx, fromId);
    const file = await this.given.require(body, sent);
    const name = [sent?.fileName, lastSegment(body.url ?? '')].find((one) => one);
    return [{ ...file, name: name === undefined ? null : nameOf(name), fields: [] }];
  }

  private async removed(tx: Tx, document_id: string, id: string): Promise<DocumentFile> {
    const since = new Date(tx.startedAt.getTime() - RESTORABLE_DAYS * DAY_MS);
    const [file] = (await tx.list(DocumentFile, { document_id, id }, sql`t.removed_at > ${since}::timestamptz`)) as (
      | DocumentFile
      | undefined
    )[];
    if (!file) throw invalid('removed_file_id', `must be a file that was removed from the document in the last ${RESTORABLE_DAYS} days`);
    return file;
  }

  /** The files of another document: sealed if all parties have signed them, or else with the places where they would. */
  private async frozen(ctx: Ctx, fromId: string): Promise<Source[]> {
    const param = 'from_document_id';
    const from = await this.store.find(ctx, Document, fromId);
    if (!from) throw invalid(param, 'is not a document that you can read');
    if (from.erased_at !== null) throw DocumentErrors.contentErased();
    if (from.finalized_at === null)
      throw invalid(param, `is a document in the state ${from.state}; finalize it first, so that its content is final`);
    const kind = from.executed_at === null ? 'final' : 'executed';
    const renditions = await this.store.list(ctx, Rendition, { document_id: fromId, revision: from.revision, kind });
    const [own] = (await this.store.list(ctx, DocumentFile, { document_id: fromId, is_main: true })) as (DocumentFile | undefined)[];
    renditions.sort((one, other) => one.position - other.position);
    const sources: Source[] = [];
    for (const rendition of renditions) {
      const { name, position, fields } = rendition;
      const placed = (position === 1 ? own?.fields : null) ?? fields;
      sources.push({
        bytes: await this.objects.read(ctx, rendition, 'pdf'),
        param,
        name: name ?? from.title,
        fields: kind === 'executed' ? [] : placed.map((field) => ({ ...field, form_field: null })),
      });
    }
    return sources;
  }
}

/** The file is sent, or a field of the body names it. */
function requireOneSource(body: AddDocumentFileDto, sent: SentFile | undefined): void {
  const named = (['removed_file_id', 'from_document_id'] as const).find((field) => body[field] !== undefined);
  if (named === undefined) return;
  const others = [...FILE_FIELDS, 'from_document_id'] as const;
  const other = sent ? 'file' : others.find((field) => field !== named && body[field] !== undefined);
  if (other !== undefined) throw invalid(other, `must be left out with ${named}`);
}

/** The files with ids, with names that are free, and with fields whose keys are. */
export function adoptedFiles(files: readonly NamedFile[], { title, files: present, parties, others, known }: Adopter): AdoptedFile[] {
  // together, as expressions may name fields of another file
  const placed = files.flatMap(({ fields }, index) => fields.map((field) => ({ ...field, index })));
  const adopted = adoptedFields(placed, parties, others, known);
  const named: AdoptedFile[] = [];
  for (const [at, file] of files.entries()) {
    const fields = adopted.filter(({ index }) => index === at).map(({ index: _, ...field }) => field);
    named.push({ ...file, id: uuidv7(), name: freeName(file.name, { title, files: [...present, ...named] }), fields });
  }
  return named;
}

/** What a document's row says about its file. */
export function entryOf(file: AdoptedFile): FurtherFile {
  return { id: file.id, name: file.name, ...factsOf(file, file.bytes) };
}

/** Without what belongs to the row. */
export function contentOf(file: NewFile): NewFile {
  const { pdf, pdf_object_id, sha256, page_texts, form_fields, earlier_signatures, fields, values } = file;
  return { pdf, pdf_object_id, sha256, page_texts, form_fields, earlier_signatures, fields, values };
}
