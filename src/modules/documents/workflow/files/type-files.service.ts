import { Injectable } from '@nestjs/common';
import { CommonErrors, Store, type Ctx, type SentFile, type Tx } from '../../../../kit/index.js';
import { DocumentTypeFile } from '../../model/types/document-type-file.entity.js';
import { DocumentTypeVersion } from '../../model/types/document-type-version.entity.js';
import { DocumentType } from '../../model/types/document-type.entity.js';
import type { TypeFile } from '../../model/types/type-file.js';
import { requireValues } from '../../types/check-file.js';
import type { ReplaceDocumentFileDto } from './document-files.dto.js';
import type { ReplaceTypeFieldsDto } from './placed-fields.dto.js';
import { DocumentFiles } from './document-files.service.js';
import { GivenFiles } from './given-files.service.js';

interface Found {
  row: DocumentTypeFile;
  file: TypeFile;
}

/** The PDF that the documents of a type consist of. Publishing makes it part of the next version. */
@Injectable()
export class TypeFiles {
  constructor(
    private readonly store: Store,
    private readonly given: GivenFiles,
    private readonly files: DocumentFiles,
  ) {}

  async get(ctx: Ctx, id: string, version?: number): Promise<Found> {
    const type = await this.store.get(ctx, DocumentType, id);
    const [published] = version === undefined ? [] : await this.store.list(ctx, DocumentTypeVersion, { type_id: id, number: version });
    const file = version === undefined ? type.file : (published as DocumentTypeVersion | undefined)?.file;
    if (!file) throw none();
    return { row: await this.store.get(ctx, DocumentTypeFile, file.id), file };
  }

  async replace(ctx: Ctx, id: string, body: ReplaceDocumentFileDto, sent: SentFile | undefined): Promise<Found> {
    await this.store.get(ctx, DocumentType, id);
    const content = await this.files.read(await this.given.require(body, sent));
    return this.store.write(ctx, async (tx) => {
      const type = await tx.target(DocumentType, id);
      const before = type.file;
      const placed = await this.files.kept(tx, before ?? { fields: [], values: [] }, content);
      const { sha256, page_texts } = content;
      const row = await tx.insert(DocumentTypeFile, { type_id: id, ...content });
      const file: TypeFile = { id: row.id, sha256, pages: page_texts.length, ...placed };
      await tx.update(type, { file });
      await this.drop(tx, id, before);
      return { row, file };
    });
  }

  place(ctx: Ctx, id: string, { fields, values = [] }: ReplaceTypeFieldsDto): Promise<Found> {
    return this.store.write(ctx, async (tx) => {
      const type = await tx.target(DocumentType, id);
      if (!type.file) throw none();
      const row = await tx.get(DocumentTypeFile, type.file.id);
      const placed = await this.files.placed(tx, row, { fields, values }, type.draft);
      requireValues(placed.values, type.draft.field_schema, 'values');
      const file: TypeFile = { ...type.file, ...placed };
      await tx.update(type, { file });
      return { row, file };
    });
  }

  remove(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const type = await tx.target(DocumentType, id);
      const before = type.file;
      if (!before) throw none();
      await tx.update(type, { file: null });
      await this.drop(tx, id, before);
    });
  }

  /** A file that no version has is no longer needed. */
  private async drop(tx: Tx, typeId: string, before: TypeFile | null): Promise<void> {
    if (!before) return;
    const versions = await tx.list(DocumentTypeVersion, { type_id: typeId });
    if (!versions.some(({ file }) => file?.id === before.id)) await tx.delete(await tx.get(DocumentTypeFile, before.id));
  }
}

function none(): Error {
  return CommonErrors.notFound({ message: 'The type has no file.' });
}
