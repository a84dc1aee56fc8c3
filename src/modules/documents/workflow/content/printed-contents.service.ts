import { Injectable } from '@nestjs/common';
import { CustomFieldCatalog, Members, type Ctx } from '../../../../kit/index.js';
import { contentOf } from '../../engine/content/content-of.js';
import { customFieldText } from '../../engine/content/custom-field-text.js';
import type { DocumentContent, PrintedField } from '../../engine/content/document-content.js';
import type { Document } from '../../model/records/document.entity.js';
import type { DocumentTypeVersion } from '../../model/types/document-type-version.entity.js';
import { Images } from '../images/images.service.js';

/** What a rendering of a document needs besides its row and its type: the pictures that it names, and custom fields as text. */
@Injectable()
export class PrintedContents {
  constructor(
    private readonly images: Images,
    private readonly catalog: CustomFieldCatalog,
    private readonly members: Members,
  ) {}

  async of(ctx: Ctx, document: Document, type: DocumentTypeVersion, timeZone: string): Promise<DocumentContent> {
    const customFields = await this.customFields(ctx, document, type, timeZone);
    return this.images.within(ctx, document, contentOf(document, type, timeZone, customFields));
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
