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
  type SentFile,
  type Tx,
} from '../../../../kit/index.js';
import { freeName, lastSegment, nameOf, requireFreeName } from '../../model/core/file-names.js';
import { DocumentTypeFile } from '../../model/types/document-type-file.entity.js';
import { DocumentTypeVersion } from '../../model/types/document-type-version.entity.js';
import { DocumentType } from '../../model/types/document-type.entity.js';
import { uploadedFiles, type FilesOfType, type TypeFile } from '../../model/types/type-file.js';
import { fieldsBeside, requireValues } from '../../types/check-file.js';
import type { ReplaceDocumentFileDto } from './document-files.dto.js';
import {
  DocumentFiles,
  requireFew,
  requireLittle,
  requireNamed,
  requireNoKeyOfPlace,
  type GivenContent,
} from './document-files.service.js';
import type { FileInType } from './file-in-type.js';
import { MOST_FILES } from './further-files.dto.js';
import { GivenFiles } from './given-files.service.js';
import type { ReplaceTypeFieldsDto } from './placed-fields.dto.js';
import type { AddTypeFileDto } from './type-files.dto.js';

/** The PDFs that the documents of a type consist of, or are signed with. Publishing makes them part of the next version. */
@Injectable()
export class TypeFiles {
  constructor(
    private readonly store: Store,
    private readonly objects: Files,
    private readonly given: GivenFiles,
    private readonly files: DocumentFiles,
  ) {}

  async get(ctx: Ctx, id: string, fileId?: string, version?: number): Promise<FileInType> {
    const type = await this.store.get(ctx, DocumentType, id);
    const [published] = version === undefined ? [] : await this.store.list(ctx, DocumentTypeVersion, { type_id: id, number: version });
    const holder = version === undefined ? type : (published as DocumentTypeVersion | undefined);
    const file = holder && fileAt(holder, whichOf(id, fileId));
    if (!file) throw noFile(whichOf(id, fileId));
    return placeOf({ ...holder, id }, await this.store.get(ctx, DocumentTypeFile, file.id), file);
  }

  stream(ctx: Ctx, row: DocumentTypeFile): Promise<Readable> {
    return this.objects.stream(ctx, row, 'pdf');
  }

  async add(ctx: Ctx, id: string, body: AddTypeFileDto, sent: SentFile | undefined): Promise<FileInType> {
    await this.store.get(ctx, DocumentType, id);
    const given = await this.given.require(body, sent);
    const { title, ...content } = await this.files.read(given);
    return this.store.write(ctx, async (tx) => {
      const type = await tx.target(DocumentType, id);
      const { files } = type;
      if (files.length + 1 >= MOST_FILES) throw invalid(given.param, `is one too many: a document has at most ${MOST_FILES} files`);
      const taken = { title: type.name, files };
      const name = body.name?.trim();
      if (name !== undefined) requireFreeName(name, taken);
      await this.requireRoom(tx, type, content, given.param, null);
      const row = await this.insert(tx, id, content);
      const file = { id: row.id, sha256: row.sha256, pages: row.page_texts.length, fields: [], values: [] };
      const free = name ?? freeName(nameOf(sent?.fileName, lastSegment(body.url ?? ''), title), taken);
      const changed = await tx.update(type, { files: [...files, { id: row.id, name: free, bytes: content.pdf.length, file }] });
      return placeOf(changed, row, file);
    });
  }

  async replace(
    ctx: Ctx,
    id: string,
    fileId: string | undefined,
    body: ReplaceDocumentFileDto,
    sent: SentFile | undefined,
  ): Promise<FileInType> {
    await this.store.get(ctx, DocumentType, id);
    const given = await this.given.require(body, sent);
    const { title: _, ...content } = await this.files.read(given);
    const which = whichOf(id, fileId);
    return this.store.write(ctx, async (tx) => {
      const type = await tx.target(DocumentType, id);
      const before = fileAt(type, which);
      if (!before && which !== null) throw noFile(which);
      await this.requireRoom(tx, type, content, given.param, before);
      const { dropped, ...placed } = await this.files.kept(
        ctx,
        tx,
        before ?? { fields: [], values: [] },
        content,
        fieldsBeside(type, which),
      );
      const row = await this.insert(tx, id, content);
      const file: TypeFile = { id: row.id, sha256: row.sha256, pages: row.page_texts.length, ...placed };
      const changed = await tx.update(type, withFile(type, which, file, content.pdf.length));
      await this.drop(tx, id, before);
      return { ...placeOf(changed, row, file), dropped_fields: dropped };
    });
  }

  place(ctx: Ctx, id: string, fileId: string | undefined, { fields, values = [] }: ReplaceTypeFieldsDto): Promise<FileInType> {
    const which = whichOf(id, fileId);
    return this.store.write(ctx, async (tx) => {
      const type = await tx.target(DocumentType, id);
      const before = fileAt(type, which);
      if (!before) throw noFile(which);
      if (which !== null) requireNoKeyOfPlace(fields);
      const row = await tx.get(DocumentTypeFile, before.id);
      const others = fieldsBeside(type, which);
      const placed = await this.files.placed(ctx, tx, row, { fields, values }, type.draft, others);
      requireFew(placed.fields.length + others.length, 'fields');
      requireValues(placed.values, type.draft.field_schema, 'values');
      const file: TypeFile = { ...before, ...placed };
      return placeOf(await tx.update(type, withFile(type, which, file)), row, file);
    });
  }

  /** With null as `fileId`, documents consist of the template again. */
  remove(ctx: Ctx, id: string, fileId: string | null): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const type = await tx.target(DocumentType, id);
      const before = fileAt(type, fileId);
      if (!before) throw noFile(fileId);
      const left: FilesOfType =
        fileId === null ? { ...type, file: null } : { ...type, files: type.files.filter(({ id }) => id !== fileId) };
      requireNamed(fieldsBeside({ ...left, draft: type.draft }, undefined));
      await tx.update(type, { file: left.file, files: left.files });
      await this.drop(tx, id, before);
    });
  }

  private async insert(tx: Tx, type_id: string, content: GivenContent): Promise<DocumentTypeFile> {
    const kept = await this.objects.keep(tx, DocumentTypeFile, 'pdf', content.pdf);
    return tx.insert(DocumentTypeFile, { type_id, ...content, ...kept });
  }

  private async requireRoom(
    tx: Tx,
    type: FilesOfType,
    { pdf, page_texts }: GivenContent,
    param: string,
    replaced: TypeFile | null,
  ): Promise<void> {
    const others = uploadedFiles(type).flatMap(({ file }) => (file.id === replaced?.id ? [] : file));
    const [{ bytes }] = await tx.sql<{ bytes: number }>(sql`
      SELECT coalesce(sum(coalesce(length(f.pdf), ${objectSize('f', 'pdf_object_id')})), 0)::integer AS bytes
      FROM ${table(DocumentTypeFile)} f
      WHERE ${own('f')} AND f.id = ANY(${others.map(({ id }) => id)}::uuid[])`);
    const pages = others.reduce((sum, file) => sum + file.pages, page_texts.length);
    requireLittle({ bytes: bytes + pdf.length, pages }, param);
  }

  /** A file that no version has is no longer needed. */
  private async drop(tx: Tx, typeId: string, before: TypeFile | null): Promise<void> {
    if (!before) return;
    const versions = await tx.list(DocumentTypeVersion, { type_id: typeId });
    const isKept = versions.some((version) => uploadedFiles(version).some(({ file }) => file.id === before.id));
    if (!isKept) await tx.delete(await tx.get(DocumentTypeFile, before.id));
  }
}

/** Null for what documents consist of, whose id is that of the type. */
function whichOf(typeId: string, fileId: string | undefined): string | null {
  return fileId === undefined || fileId === typeId ? null : fileId;
}

function fileAt({ file, files }: FilesOfType, which: string | null): TypeFile | null {
  return which === null ? file : (files.find(({ id }) => id === which)?.file ?? null);
}

function withFile({ files }: FilesOfType, which: string | null, file: TypeFile, bytes?: number): Partial<DocumentType> {
  if (which === null) return { file };
  return { files: files.map((one) => (one.id === which ? { ...one, file, bytes: bytes ?? one.bytes } : one)) };
}

function placeOf({ id, name, files }: FilesOfType & { id: string; name: string }, row: DocumentTypeFile, file: TypeFile): FileInType {
  const index = files.findIndex((one) => one.file.id === file.id);
  const place = index < 0 ? { id, position: 1, name } : { id: files[index].id, position: index + 2, name: files[index].name };
  return { ...place, row, file };
}

function noFile(which: string | null): Error {
  return which === null
    ? CommonErrors.notFound({ message: 'The type has no file.' })
    : CommonErrors.notFound({ param: 'file_id', message: 'The type has no such file; `files` of the type lists them.' });
}
