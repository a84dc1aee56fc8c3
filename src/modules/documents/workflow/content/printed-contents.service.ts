import { Injectable } from '@nestjs/common';
import { CustomFieldCatalog, Members, type Ctx } from '../../../../kit/index.js';
import { contentOf } from '../../engine/content/content-of.js';
import { customFieldText } from '../../engine/content/custom-field-text.js';
import type { DocumentContent, PrintedField } from '../../engine/content/document-content.js';
import type { Document } from '../../model/records/document.entity.js';
import type { DocumentTypeVersion } from '../../model/types/document-type-version.entity.js';
import { Images } from '../images/images.service.js';
import type { DocumentImage } from '../../model/records/document-image.entity.js';
import { imageReference } from '../../model/core/images.js';

/** A content whose pictures are known, but not read. */
export interface PlannedContent {
  content: DocumentContent;
  pictures: readonly DocumentImage[];
}

/** What a rendering of a document needs besides its row and its type: the pictures that it names, and custom fields as text. */
@Injectable()
export class PrintedContents {
  constructor(
    private readonly images: Images,
    private readonly catalog: CustomFieldCatalog,
    private readonly members: Members,
  ) {}

  /** Enough for checks, and for whatever prints no pictures. */
  async planned(ctx: Ctx, document: Document, type: DocumentTypeVersion, timeZone: string): Promise<PlannedContent> {
    const customFields = await this.customFields(ctx, document, type, timeZone);
    const content = contentOf(document, type, timeZone, customFields);
    const pictures = await this.images.named(ctx, document, content);
    return { content: withPictures(content, pictures, null), pictures };
  }

  /** To be drawn. Reads the pictures, from outside of the database if they are there: not for a transaction. */
  async drawn(ctx: Ctx, { content, pictures }: PlannedContent): Promise<DocumentContent> {
    return withPictures(content, pictures, await this.images.read(ctx, pictures));
  }

  /** Of members the name. Of a record of another module only the id is known, so nothing is printed. */
  private async customFields(
    ctx: Ctx,
    { custom_fields: values, project_id }: Document,
    { definition: { language = 'en', layout } }: DocumentTypeVersion,
    timeZone: string,
  ): Promise<Record<string, PrintedField>> {
    if (Object.keys(values).length === 0) return {};
    const fields = (await this.catalog.definitions(ctx, 'document', project_id)).filter(({ key }) => Object.hasOwn(values, key));
    const ids = fields.filter(({ type }) => type === 'member').map(({ key }) => values[key] as string);
    const names = new Map((await this.members.byIds(ctx, ids)).map(({ id, name, email }) => [id, name ?? email]));
    const print = { language, timeZone, currency: layout?.currency };
    return Object.fromEntries(
      fields.flatMap((field) => {
        const value = values[field.key];
        const text = field.type === 'member' ? names.get(value as string) : customFieldText(field, value, print);
        return typeof text === 'string' ? [[field.key, { text, holds: value !== false }]] : [];
      }),
    );
  }
}

function withPictures(content: DocumentContent, pictures: readonly DocumentImage[], read: readonly string[] | null): DocumentContent {
  if (pictures.length === 0) return content;
  const images = pictures.map(({ sha256, media_type, width, height }, index) => {
    return [imageReference(sha256), { media_type, width, height, base64: read === null ? null : read[index] }] as const;
  });
  return { ...content, images: Object.fromEntries(images) };
}
