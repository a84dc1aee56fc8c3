import { Injectable } from '@nestjs/common';
import {
  Files,
  organizationNameOf,
  own,
  projectZone,
  Settings,
  sql,
  Store,
  table,
  type BrandSource,
  type Ctx,
  type FileOf,
  type MailBrand,
  type PageBrand,
  type SqlReader,
} from '../../../kit/index.js';
import type { Document } from '../model/records/document.entity.js';
import { TypeVersions } from '../model/types/type-versions.js';
import type { Texts } from '../pages/texts/en.js';
import { pageLanguage, textsIn } from '../pages/texts/texts.js';
import { DocumentSettings } from './document-settings.entity.js';

/** The appearance and language of pages and mails about documents. */
export interface Look {
  /** Name of the organization. */
  organization: string;
  /** BCP 47. */
  language: string;
  /** The project's time zone, because mails do not know the reader's. */
  timeZone: string;
  texts: Texts;
  brand: PageBrand;
  embedOrigins: readonly string[];
  /** The address that paths of pages and of the logo begin with. */
  baseUrl: string;
}

interface BrandRow {
  name: string;
  time_zone: string;
  color: string | null;
  logo_type: DocumentSettings['logo_type'];
  logo_sha256: string | null;
  embed_origins: string[];
}

const brandIn = (projectId: string) => sql`
  SELECT ${organizationNameOf('s')} AS name, ${projectZone(projectId)} AS time_zone, s.color, s.logo_type, s.logo_sha256, s.embed_origins
  FROM ${table(DocumentSettings)} s WHERE ${own('s')}`;

/**
 * Reads the appearance of pages and mails about a document: the organization's name and brand, and the document's language. Also of the
 * pages and mails of other modules.
 */
@Injectable()
export class DocumentLooks implements BrandSource {
  constructor(
    private readonly store: Store,
    private readonly versions: TypeVersions,
    private readonly settings: Settings,
    private readonly files: Files,
  ) {}

  async of(ctx: Ctx, { type_id, type_version, project_id }: Pick<Document, 'type_id' | 'type_version' | 'project_id'>): Promise<Look> {
    const { definition } = await this.versions.get(ctx, type_id, type_version);
    return this.in(ctx, definition.language ?? 'en', project_id);
  }

  async in(ctx: Ctx, language: string, projectId: string): Promise<Look> {
    const [{ name, time_zone, color, embed_origins, ...logo }] = await this.store.reader(ctx).sql<BrandRow>(brandIn(projectId));
    return {
      organization: name,
      language: pageLanguage(language),
      timeZone: time_zone,
      texts: textsIn(language),
      brand: { color, logo: logoPath({ ...logo, organization_id: ctx.organizationId }) },
      embedOrigins: embed_origins,
      baseUrl: this.settings.baseUrl,
    };
  }

  async pageBrand(ctx: Ctx): Promise<PageBrand> {
    const [found] = await this.store
      .reader(ctx)
      .sql<Pick<BrandRow, 'color' | 'logo_type' | 'logo_sha256'>>(
        sql`SELECT s.color, s.logo_type, s.logo_sha256 FROM ${table(DocumentSettings)} s WHERE ${own('s')}`,
      );
    return { color: found?.color ?? null, logo: found ? logoPath({ ...found, organization_id: ctx.organizationId }) : null };
  }

  async mailBrand(reader: SqlReader): Promise<MailBrand> {
    const [brand] = await reader.sql<MailBrand>(
      sql`SELECT s.color, s.logo_sha256 AS logo FROM ${table(DocumentSettings)} s WHERE ${own('s')}`,
    );
    return brand ?? { color: null, logo: null };
  }

  async mailLogo(reader: SqlReader, id: string, ctx: Ctx): Promise<Buffer | null> {
    const [found] = await reader.sql<FileOf<'logo'>>(
      sql`SELECT s.logo, s.logo_object_id FROM ${table(DocumentSettings)} s WHERE ${own('s')} AND s.logo_sha256 = ${id}`,
    );
    return found ? this.files.read(ctx, found, 'logo') : null;
  }
}

/** The address of the logo names its content, so that browsers can keep it. */
export function logoPath({
  organization_id,
  logo_type,
  logo_sha256,
}: Pick<DocumentSettings, 'organization_id' | 'logo_type' | 'logo_sha256'>): string | null {
  if (logo_sha256 === null) return null;
  return `/papers/logo/${organization_id}-${logo_sha256.slice(0, 16)}.${logo_type === 'image/png' ? 'png' : 'jpg'}`;
}
