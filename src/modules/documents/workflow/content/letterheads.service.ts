import { Injectable } from '@nestjs/common';
import { Files, organizationNameOf, own, sql, Store, table, type Ctx, type FileOf } from '../../../../kit/index.js';
import { letterheadOf, type Letterhead } from '../../engine/pdf/letterhead.js';
import { DocumentSettings } from '../../settings/document-settings.entity.js';

/** What a letterhead is made of; its logo may have to be read. */
export type LetterheadRow = FileOf<'logo'> & { name: string; color: string | null; logo_sha256: string | null };

const READ = sql`
  SELECT ${organizationNameOf('c')} AS name, s.color, s.logo_sha256, s.logo, s.logo_object_id
  FROM (VALUES (${own.organization}::uuid)) AS c (organization_id) LEFT JOIN ${table(DocumentSettings)} s ON ${own('s')}`;

/** Reads the letterhead of an organization's documents. */
@Injectable()
export class Letterheads {
  constructor(
    private readonly store: Store,
    private readonly files: Files,
  ) {}

  async row(ctx: Ctx): Promise<LetterheadRow> {
    const [row] = await this.store.reader(ctx).sql<LetterheadRow>(READ);
    return row;
  }

  /** Reads the logo, from outside of the database if it is there: not for a transaction. */
  async drawn(ctx: Ctx, row: LetterheadRow): Promise<Letterhead> {
    const logo = row.logo_sha256 === null ? null : await this.files.read(ctx, row, 'logo');
    return letterheadOf({ name: row.name, color: row.color, logo: logo && logo.toString('base64') });
  }
}
