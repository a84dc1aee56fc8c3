import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import {
  CommonErrors,
  Files,
  invalid,
  objectSize,
  own,
  sql,
  Store,
  table,
  type Ctx,
  type DomainError,
  type ErrorDetail,
  type SentFile,
  type Tx,
} from '../../../../kit/index.js';
import { DocumentSeal } from '../../engine/sealing/document-seal.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { DocumentFile } from '../../model/records/document-file.entity.js';
import type { Place, PlacedField } from '../../model/core/placed-fields.js';
import { Document, type FurtherFile } from '../../model/records/document.entity.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';
import { dependenciesOf, fixedTexts, placedProblems, placeProblems } from '../../model/placed/check-placed.js';
import { hasLines, isEntered, lookOf } from '../../model/placed/placed-values.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { printProblems } from '../../engine/pdf/printable-content.js';
import { PdfTypesetter } from '../../engine/typesetting/pdf-typesetter.js';
import type { FoundText, TextSearch } from '../../engine/pictures/pdfium.js';
import { PagePictures } from '../../engine/pictures/page-pictures.service.js';
import { keptFields, MOST_OCCURRENCES, valuesWithPlaces, withPlaces, type FieldWithPlace, type FindTexts } from './placement.js';
import { isKeyOfPlace } from '../../engine/content/field-tokens.js';
import { templateFields } from '../../types/check-definition.js';
import type { FileInDocument, ReplaceDocumentFileDto } from './document-files.dto.js';
import type { PlacedFieldDto, PlacedValueDto } from './placed-fields.dto.js';
import { GivenFiles, MOST_FILE_BYTES, MOST_PAGES, type GivenFile } from './given-files.service.js';

/** On all files of a document. */
const MOST_FIELDS = 500;
const EDITABLE = ['draft', 'returned'];

/** A file whose pages are known. */
export type NewFile = Pick<
  DocumentFile,
  'pdf' | 'pdf_object_id' | 'sha256' | 'page_texts' | 'fields' | 'form_fields' | 'earlier_signatures' | 'values'
>;

/** What was placed on a file. */
type PlacedOn = Pick<NewFile, 'fields' | 'values'>;

/** What a file that replaces another takes over, and the keys of fields and paths of values that it has no place for. */
export interface TakenOver extends PlacedOn {
  dropped: string[];
}

/** A file without what was placed on it. */
export type Content = Omit<NewFile, keyof PlacedOn>;

/** One that is not stored yet. */
export type GivenContent = Content & { pdf: Buffer };

/** The PDF that a document consists of, and the fields that its parties fill in. */
@Injectable()
export class DocumentFiles {
  constructor(
    private readonly store: Store,
    private readonly objects: Files,
    private readonly given: GivenFiles,
    private readonly versions: TypeVersions,
    private readonly typesetter: PdfTypesetter,
    private readonly pictures: PagePictures,
    private readonly seal: DocumentSeal,
  ) {}

  async get(ctx: Ctx, documentId: string, fileId?: string): Promise<FileInDocument> {
    const document = await this.store.get(ctx, Document, documentId);
    const [file] = await this.store.list(ctx, DocumentFile, whichFile(documentId, fileId));
    if (!file) throw noFile(documentId, fileId);
    return placeOf(document, file);
  }

  /** Reads the file before the transaction, as that takes long. Fields on pages that the new file has stay. */
  async replace(
    ctx: Ctx,
    documentId: string,
    fileId: string | undefined,
    body: ReplaceDocumentFileDto,
    sent: SentFile | undefined,
  ): Promise<FileInDocument> {
    const given = await this.given.require(body, sent);
    const { title: _, ...content } = await this.read(given);
    return this.store.write(ctx, async (tx) => {
      const document = await this.editable(tx, documentId);
      const [file] = (await tx.list(DocumentFile, whichFile(documentId, fileId))) as (DocumentFile | undefined)[];
      if (!file && !isMain(documentId, fileId)) throw noFile(documentId, fileId);
      if (document.files.length > 0) await this.requireRoom(tx, documentId, factsOf(content, content.pdf.length), given.param, file?.id);
      const before = file ?? { fields: [], values: [] };
      const { dropped, ...placed } = await this.kept(
        ctx,
        tx,
        before,
        content,
        await this.fieldsBeside(ctx, tx, document, file?.id ?? null),
      );
      const { project_id, files } = document;
      const stored = { ...content, ...placed, ...(await this.objects.keep(tx, DocumentFile, 'pdf', content.pdf)) };
      const replaced = file
        ? await tx.update(file, stored)
        : await tx.insert(DocumentFile, { project_id, document_id: documentId, is_main: true, ...stored });
      const changed = files.map((one) => (one.id === replaced.id ? { ...one, ...factsOf(content, content.pdf.length) } : one));
      const touched = await tx.advanced.touch(document, { files: changed });
      await this.record(ctx, tx, document, {
        file_sha256: content.sha256,
        ...(replaced.is_main ? {} : { file_id: replaced.id }),
        ...(dropped.length > 0 && { dropped_fields: dropped }),
      });
      return { ...placeOf(touched, replaced), dropped_fields: dropped };
    });
  }

  stream(ctx: Ctx, file: DocumentFile): Promise<Readable> {
    return this.objects.stream(ctx, file, 'pdf');
  }

  /** The file of a document that has none yet. */
  async add(tx: Tx, { id, project_id }: Document, file: NewFile): Promise<DocumentFile> {
    return this.insert(tx, { project_id, document_id: id, is_main: true, ...file });
  }

  async insert(
    tx: Tx,
    file: NewFile & Pick<DocumentFile, 'project_id' | 'document_id' | 'is_main'> & { id?: string },
  ): Promise<DocumentFile> {
    return tx.insert(DocumentFile, { ...file, ...(await this.objects.keep(tx, DocumentFile, 'pdf', file)) });
  }

  async place(ctx: Ctx, documentId: string, fileId: string | undefined, given: readonly PlacedFieldDto[]): Promise<FileInDocument> {
    return this.store.write(ctx, async (tx) => {
      const document = await this.editable(tx, documentId);
      const [file] = await tx.list(DocumentFile, whichFile(documentId, fileId));
      if (!file) throw noFile(documentId, fileId);
      const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
      const others = await this.fieldsBeside(ctx, tx, document, file.id);
      if (!file.is_main) requireNoKeyOfPlace(given);
      const { fields } = await this.placed(ctx, tx, file, { fields: given, values: [] }, definition, others);
      requireFew(fields.length + others.length, 'fields');
      await this.record(ctx, tx, document, { fields: fields.length, ...(file.is_main ? {} : { file_id: file.id }) });
      return placeOf(await tx.advanced.touch(document), await tx.update(file, { fields }));
    });
  }

  /** Whether there is room for a file. `replacedId`: of the file whose place it takes. */
  async requireRoom(
    tx: Tx,
    documentId: string,
    added: Pick<FurtherFile, 'bytes' | 'pages'>,
    param: string,
    replacedId?: string,
  ): Promise<void> {
    const [others] = await tx.sql<{ bytes: number; pages: number }>(sql`
      SELECT coalesce(sum(coalesce(length(f.pdf), ${objectSize('f', 'pdf_object_id')})), 0)::integer AS bytes,
        coalesce(sum(jsonb_array_length(f.page_texts)), 0)::integer AS pages
      FROM ${table(DocumentFile)} f
      WHERE ${own('f')} AND f.document_id = ${documentId} AND f.removed_at IS NULL AND f.id IS DISTINCT FROM ${replacedId ?? null}::uuid`);
    requireLittle({ bytes: others.bytes + added.bytes, pages: others.pages + added.pages }, param);
  }

  /** What stands on the other files of a document. `except`: the id of the file, or null for the document's own content. */
  async fieldsBeside(ctx: Ctx, tx: Tx, document: Document, except: string | null): Promise<PlacedField[]> {
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    const rows = await tx.sql<Pick<DocumentFile, 'id' | 'is_main' | 'fields'>>(sql`
      SELECT f.id, f.is_main, f.fields FROM ${table(DocumentFile)} f
      WHERE ${own('f')} AND f.document_id = ${document.id} AND f.removed_at IS NULL`);
    const others = rows.filter(({ id, is_main }) => (except === null ? !is_main : id !== except)).flatMap(({ fields }) => fields);
    return except === null || rows.some(({ is_main }) => is_main) ? others : [...templateFields(definition), ...others];
  }

  /** What is given for a file, at its places and checked. */
  async placed(
    ctx: Ctx,
    tx: Tx,
    file: Content,
    { fields: given, values }: { fields: readonly PlacedFieldDto[]; values: readonly PlacedValueDto[] },
    { signature_parties, language = 'en' }: TypeDefinition,
    others: readonly PlacedField[] = [],
  ): Promise<PlacedOn> {
    const find = this.finder(ctx, tx, file);
    const fields = (await withPlaces(given, file, find)).map(placedField);
    refuse(await placedProblems(fields, { parties: signature_parties, pages: file.page_texts.length, others }, 'fields'));
    requireNamed([...fields, ...others]);
    refuse(await this.unprintable(ctx, tx, file, fields, language));
    const placed = await valuesWithPlaces(values, file, find);
    refuse([...outsideOfForm(file, fields, 'fields'), ...outsideOfForm(file, placed, 'values')]);
    refuse(placed.flatMap((value, index) => placeProblems(value, file.page_texts.length, `values.${index}`)));
    return { fields, values: placed };
  }

  /** What has a place in the file that replaces another. */
  async kept(ctx: Ctx, tx: Tx, { fields, values }: PlacedOn, content: Content, others: readonly PlacedField[] = []): Promise<TakenOver> {
    const find = this.finder(ctx, tx, content);
    const kept = { fields: await keptFields(fields, content, find), values: await keptFields(values, content, find) };
    requireNamed([...kept.fields, ...others]);
    const keys = new Set([...kept.fields.map(({ key }) => key), ...kept.values.map(({ data_field }) => data_field)]);
    const dropped = [...fields.map(({ key }) => key), ...values.map(({ data_field }) => data_field)].filter((key) => !keys.has(key));
    return { ...kept, dropped };
  }

  private finder(ctx: Ctx, tx: Tx, file: Content): FindTexts {
    return (searches) => this.find(ctx, tx, file, searches);
  }

  /** Defaults and options that cannot be printed, or not be read in their boxes. */
  private async unprintable(ctx: Ctx, tx: Tx, file: Content, fields: readonly PlacedField[], language: string): Promise<ErrorDetail[]> {
    const texts = fields.flatMap((field, index) => fixedTexts(field).map((fixed) => ({ ...fixed, index, field })));
    if (texts.length === 0) return [];
    const faults = await printProblems(
      tx,
      texts.map(({ text }) => text),
    );
    const boxes = texts.map(({ text, field }) => ({ ...placeIn(field), text, isMultiline: hasLines(field), ...lookOf(field) }));
    const key = `fit ${file.sha256} ${language} ${hash('sha256', JSON.stringify(boxes))}`;
    const unfitting = await tx.advanced.prepared(key, async () =>
      this.typesetter.unfitting({ pdf: await this.objects.read(ctx, file, 'pdf'), texts: boxes, language }),
    );
    return texts.flatMap(({ index, name }, at): ErrorDetail[] => {
      const fault = faults[at] ?? (unfitting.includes(at) ? 'is too long to be readable in the box of the field' : null);
      const param = `fields.${index}.${name}`;
      return fault === null ? [] : [{ param, code: 'unprintable', message: `${param} ${fault}` }];
    });
  }

  private async find(ctx: Ctx, tx: Tx, file: Content, searches: readonly TextSearch[]): Promise<FoundText[][]> {
    const { sha256 } = file;
    const key = `find ${sha256} ${hash('sha256', JSON.stringify(searches))}`;
    const found = await tx.advanced.prepared(key, async () =>
      this.pictures.find({ bytes: await this.objects.read(ctx, file, 'pdf'), sha256 }, searches, MOST_OCCURRENCES),
    );
    if ('problem' in found) throw CommonErrors.validationFailed({ param: 'fields', message: `The file ${found.problem}.` });
    return found;
  }

  async editable(tx: Tx, id: string): Promise<Document> {
    const document = await tx.target(Document, id);
    if (!EDITABLE.includes(document.state))
      throw DocumentErrors.invalidTransition({
        message: `The document is ${document.state}; its files can be changed only while it is a draft or returned.`,
        allowed: EDITABLE,
      });
    return document;
  }

  /** Why a file cannot be used is an error of its field. It takes long, so no transaction should be open. */
  async read({ bytes, param }: GivenFile): Promise<GivenContent & { title: string | null }> {
    const invalid = (problem: string) => CommonErrors.validationFailed({ param, message: `The file ${problem}.` });
    if (bytes.length > MOST_FILE_BYTES) throw invalid('is larger than 10 MiB');
    const first = await this.typesetter.zones(bytes, []);
    if ('problem' in first) throw invalid(first.problem);
    if (first.count === 0) throw invalid('has no pages');
    const tried = await this.typesetter.trial({ bytes, key: this.seal.key });
    if ('problem' in tried) throw invalid(tried.problem);
    const { kept, page_texts, ...found } = tried;
    const pdf = kept ? Buffer.from(kept) : bytes;
    if (pdf.length > MOST_FILE_BYTES) throw invalid('is larger than 10 MiB without its encryption');
    const undrawable = await this.pictures.problem(pdf);
    if (undrawable !== null) throw invalid(undrawable);
    return { pdf, pdf_object_id: null, sha256: hash('sha256', pdf), page_texts, title: first.title, ...found };
  }

  record(ctx: Ctx, tx: Tx, { id, project_id, state }: Document, detail: Record<string, unknown>): Promise<AuditEntry> {
    return tx.insert(AuditEntry, {
      project_id,
      document_id: id,
      action: 'papers.update',
      actor: ctx.actor,
      from_state: state,
      to_state: state,
      status: 'completed',
      detail,
    });
  }
}

/** As it is stored: with null for every rule that it does not have. */
function placedField(field: FieldWithPlace): PlacedField {
  const {
    key,
    party,
    kind,
    page,
    x,
    y,
    w,
    h,
    anchor,
    form_field,
    multiline,
    frame,
    cells,
    label = null,
    required = kind !== 'checkbox',
    read_only = false,
  } = field;
  const { hint = null, pattern = null, min = null, max = null, max_length = null } = field;
  const { decimals = null, calculated = null, shown_when = null } = field;
  const options = (field.options ?? []).map(({ value, label = null, place = null }) => ({ value, label, place }));
  const rules = {
    hint,
    read_only,
    default: field.default ?? null,
    pattern,
    min,
    max,
    max_length,
    decimals,
    calculated,
    shown_when,
    options,
  };
  const lines = multiline === true && kind === 'text' ? { multiline } : {};
  return {
    key,
    party,
    kind,
    page,
    x,
    y,
    w,
    h,
    anchor,
    form_field,
    ...lines,
    ...(frame === undefined ? {} : { frame }),
    ...(cells === undefined ? {} : { cells }),
    label,
    required: isEntered({ kind }) ? required : true,
    ...rules,
  };
}

/** What would break the certification of a file whose author permits only to fill in its form. */
function outsideOfForm(
  { earlier_signatures }: Content,
  placed: readonly Pick<PlacedField, 'form_field'>[],
  list: 'fields' | 'values',
): ErrorDetail[] {
  if (!earlier_signatures.some(({ permits }) => permits === 'form_fields')) return [];
  return placed.flatMap(({ form_field }, index): ErrorDetail[] => {
    const param = `${list}.${index}.form_field`;
    const rule = 'the author of the file certified it and permits only to fill in and sign its form fields (DocMDP /P 2)';
    return form_field ? [] : [{ param, code: 'required', message: `${param} is required: ${rule}` }];
  });
}

function refuse(details: ErrorDetail[]): void {
  if (details.length > 0)
    throw CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, allowed: details[0].allowed, details });
}

function placeIn({ page, x, y, w, h }: Place): Place {
  return { page, x, y, w, h };
}

/** Of the document's own content, whose id is that of the document. */
function isMain(documentId: string, fileId: string | undefined): boolean {
  return fileId === undefined || fileId === documentId;
}

function whichFile(
  document_id: string,
  fileId: string | undefined,
): { document_id: string; is_main: boolean; id?: string; removed_at: null } {
  return { document_id, removed_at: null, ...(isMain(document_id, fileId) ? { is_main: true } : { id: fileId, is_main: false }) };
}

function noFile(documentId: string, fileId: string | undefined): DomainError {
  return isMain(documentId, fileId)
    ? CommonErrors.notFound({ message: 'The document has no file; it consists of the text of its type.' })
    : CommonErrors.notFound({ param: 'file_id', message: 'The document has no such file; `files` of the document lists them.' });
}

function placeOf({ id, title, files }: Document, file: DocumentFile): FileInDocument {
  const index = files.findIndex((one) => one.id === file.id);
  return index < 0 ? { id, position: 1, name: title, file } : { id: file.id, position: index + 2, name: files[index].name, file };
}

/** On a file that is signed with the text of a type. */
export function requireNoKeyOfPlace(given: readonly { key: string }[]): void {
  const taken = given.findIndex(({ key }) => isKeyOfPlace(key));
  if (taken >= 0) throw invalid(`fields.${taken}.key`, 'is the key of a place to sign in the text of a type; use another one');
}

/** `count`: of the fields on all files of a document. */
export function requireFew(count: number, param: string): void {
  if (count > MOST_FIELDS) throw invalid(param, `has too many fields: the files of a document have at most ${MOST_FIELDS} together`);
}

/** What a document says about a file. */
export function factsOf({ sha256, page_texts }: Content, bytes: number): Pick<FurtherFile, 'pages' | 'bytes' | 'sha256'> {
  return { pages: page_texts.length, bytes, sha256 };
}

/** Of all files of a document together. */
export function requireLittle({ bytes, pages }: { bytes: number; pages: number }, param: string): void {
  const what = bytes > MOST_FILE_BYTES ? 'be larger than 10 MiB' : pages > MOST_PAGES ? `have more than ${MOST_PAGES} pages` : null;
  if (what !== null)
    throw CommonErrors.validationFailed({ param, message: `The files of a document must not ${what} together; remove one first.` });
}

/** Fields that are gone, or that a new file has no place for, must not be named by one that is left. */
export function requireNamed(kept: readonly PlacedField[]): void {
  for (const field of kept)
    for (const name of dependenciesOf(field))
      if (!kept.some(({ key }) => key === name))
        throw CommonErrors.validationFailed({
          param: 'file',
          message: `The file has no place for the field ${name}, on which the field ${field.key} depends. Remove ${field.key} first.`,
        });
}
