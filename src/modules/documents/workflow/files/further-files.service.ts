import { Injectable } from '@nestjs/common';
import { CommonErrors, invalid, Store, type Ctx, type SentFile, type Tx } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import type { PlacedField } from '../../model/core/placed-fields.js';
import { DocumentFile } from '../../model/records/document-file.entity.js';
import { Document, type FurtherFile } from '../../model/records/document.entity.js';
import { Rendition } from '../../model/records/rendition.entity.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { adoptedFields } from './adopted-fields.js';
import type { FileInDocument } from './document-files.dto.js';
import { DocumentFiles, factsOf, requireFew, requireNamed, type NewFile } from './document-files.service.js';
import { MOST_FILES, type AddDocumentFileDto } from './further-files.dto.js';
import { GivenFiles, type GivenFile } from './given-files.service.js';

/** A file with the name that it has where it comes from, and what stands on it there. */
interface Source extends GivenFile {
  name: string;
  fields: readonly PlacedField[];
}

/** A file of a document that another one takes over. */
export interface NamedFile extends NewFile {
  name: string;
}

/** The files that are signed with a document, after its own content. Its row has their order and their names. */
@Injectable()
export class FurtherFiles {
  constructor(
    private readonly store: Store,
    private readonly versions: TypeVersions,
    private readonly given: GivenFiles,
    private readonly files: DocumentFiles,
  ) {}

  /** Reads the file before the transaction, as that takes long. */
  async add(ctx: Ctx, documentId: string, body: AddDocumentFileDto, sent: SentFile | undefined): Promise<FileInDocument> {
    const source = await this.source(ctx, body, sent);
    const content = await this.files.read(source);
    return this.store.write(ctx, async (tx) => {
      const document = await this.files.editable(tx, documentId);
      const { files } = document;
      if (files.length + 1 >= MOST_FILES) throw invalid(source.param, `is one too many: a document has at most ${MOST_FILES} files`);
      const given = body.name?.trim();
      if (given !== undefined) requireFreeName(given, document);
      const name = given ?? freeName(source.name, document);
      const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
      // of no file that is there already
      const others = await this.files.fieldsBeside(ctx, tx, document, documentId);
      const fields = adoptedFields(source.fields, definition.signature_parties, others);
      requireFew(fields.length + others.length, source.param);
      await this.files.requireRoom(tx, documentId, content, source.param);
      const file = await this.insert(tx, document, { ...content, fields, values: [] });
      await tx.update(document, { files: [...files, { id: file.id, name, ...factsOf(content) }] });
      await this.files.record(ctx, tx, document, { file_id: file.id, file_sha256: content.sha256 });
      return { id: file.id, position: files.length + 2, name, file };
    });
  }

  remove(ctx: Ctx, documentId: string, fileId: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const document = await this.files.editable(tx, documentId);
      const file = fileOf(document, fileId);
      requireNamed(await this.files.fieldsBeside(ctx, tx, document, fileId));
      await tx.update(document, { files: document.files.filter((one) => one !== file) });
      const [row] = await tx.list(DocumentFile, { document_id: documentId, id: fileId });
      await tx.delete(row);
      await this.files.record(ctx, tx, document, { removed_file_id: fileId, file_sha256: file.sha256 });
    });
  }

  /** With what stands on them. */
  async of(tx: Tx, { files }: Document): Promise<NamedFile[]> {
    const rows = files.length === 0 ? [] : await tx.list(DocumentFile, { id: files.map(({ id }) => id) });
    return files.map(({ id, name }) => ({ ...(rows.find((row) => row.id === id) as DocumentFile), name }));
  }

  /** Gives a document that has no further files those of another one. */
  async copy(ctx: Ctx, tx: Tx, document: Document, files: readonly NamedFile[]): Promise<Document> {
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    const others = await this.files.fieldsBeside(ctx, tx, document, document.id);
    // together, as expressions may name fields of another file
    const placed = files.flatMap(({ fields }, index) => fields.map((field) => ({ ...field, index })));
    const adopted = adoptedFields(placed, definition.signature_parties, others);
    const copies: FurtherFile[] = [];
    for (const [at, { name, pdf, sha256, page_texts, form_fields, earlier_signatures }] of files.entries()) {
      const content = { pdf, sha256, page_texts, form_fields, earlier_signatures };
      const fields = adopted.filter(({ index }) => index === at).map(({ index: _, ...field }) => field);
      const { id } = await this.insert(tx, document, { ...content, fields, values: [] });
      copies.push({ id, name, ...factsOf(content) });
    }
    return tx.update(document, { files: copies });
  }

  private insert(tx: Tx, { id, project_id }: Document, file: NewFile): Promise<DocumentFile> {
    return tx.insert(DocumentFile, { project_id, document_id: id, is_main: false, ...file });
  }

  private async source(ctx: Ctx, { from_document_id: fromId, ...body }: AddDocumentFileDto, sent: SentFile | undefined): Promise<Source> {
    if (fromId === undefined) {
      const file = await this.given.require(body, sent);
      return { ...file, name: nameOf(sent?.fileName ?? lastSegment(body.url ?? '')), fields: [] };
    }
    const other = sent ? 'file' : (['url', 'content_base64'] as const).find((field) => body[field] !== undefined);
    if (other !== undefined) throw invalid(other, 'must be left out with from_document_id');
    return this.frozen(ctx, fromId);
  }

  /** The own content of another document: sealed if all parties have signed it, or else with the places where they would. */
  private async frozen(ctx: Ctx, fromId: string): Promise<Source> {
    const param = 'from_document_id';
    const from = await this.store.find(ctx, Document, fromId);
    if (!from) throw invalid(param, 'is not a document that you can read');
    if (from.erased_at !== null) throw DocumentErrors.contentErased();
    if (from.finalized_at === null)
      throw invalid(param, `is a document in the state ${from.state}; finalize it first, so that its content is final`);
    const renditions = await this.store.list(ctx, Rendition, { document_id: fromId, revision: from.revision, position: 1 });
    const executed = renditions.find(({ kind }) => kind === 'executed');
    if (executed) return { bytes: executed.pdf, param, name: from.title, fields: [] };
    const [own] = (await this.store.list(ctx, DocumentFile, { document_id: fromId, is_main: true })) as (DocumentFile | undefined)[];
    const fields = (own?.fields ?? renditions[0].fields).map((field) => ({ ...field, form_field: null }));
    return { bytes: renditions[0].pdf, param, name: from.title, fields };
  }
}

function fileOf({ files }: Document, fileId: string): FurtherFile {
  const file = files.find(({ id }) => id === fileId);
  if (!file) throw CommonErrors.notFound();
  return file;
}

/** The files in another order, or under other names. `param`: of the list. */
export function arranged(document: Document, given: readonly { id: string; name?: string }[], param: string): FurtherFile[] {
  const { files, title } = document;
  const wrong = given.findIndex(
    ({ id }, index) => !files.some((file) => file.id === id) || given.findIndex((one) => one.id === id) < index,
  );
  if (wrong >= 0)
    throw invalid(
      `${param}.${wrong}.id`,
      'must be the id of a file of the document, once',
      files.map(({ id }) => id),
    );
  if (given.length < files.length)
    throw invalid(param, `must list all ${files.length} files of the document; delete_document_file removes one`);
  const named = given.map(({ id, name }) => ({ ...fileOf(document, id), ...(name === undefined ? {} : { name: name.trim() }) }));
  named.forEach((file, index) => {
    const others = { title, files: named.filter((one) => one !== file) };
    if (given[index].name !== undefined) requireFreeName(file.name, others, `${param}.${index}.name`);
  });
  return named;
}

function lastSegment(url: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
  } catch {
    return '';
  }
}

const LONGEST_OWN_NAME = 150;

/** A name that people read, from that of a file. */
function nameOf(fileName: string): string {
  const name = fileName
    .replace(/\.pdf$/i, '')
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return name.slice(0, LONGEST_OWN_NAME).trim() || 'File';
}

function namesOf({ title, files }: Pick<Document, 'title' | 'files'>): string[] {
  return [title, ...files.map(({ name }) => name)].map((name) => name.toLowerCase());
}

function requireFreeName(name: string, document: Pick<Document, 'title' | 'files'>, param = 'name'): void {
  if (name === '' || namesOf(document).includes(name.toLowerCase()))
    throw invalid(param, 'must be another one than the title of the document and the names of its other files');
}

function freeName(name: string, document: Pick<Document, 'title' | 'files'>): string {
  const taken = namesOf(document);
  let free = name;
  for (let number = 2; taken.includes(free.toLowerCase()); number++) free = `${name} ${number}`;
  return free;
}
