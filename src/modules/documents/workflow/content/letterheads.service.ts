import { Injectable } from '@nestjs/common';
import { organizationNameOf, own, sql, Store, table, type Ctx } from '../../../../kit/index.js';
import { letterheadOf, type Letterhead } from '../../engine/pdf/letterhead.js';
import { DocumentSettings } from '../../settings/document-settings.entity.js';

interface Row {
  name: string;
  color: string | null;
  logo: Buffer | null;
}

const READ = sql`
  SELECT ${organizationNameOf('c')} AS name, s.color, s.logo
  FROM (VALUES (${own.organization}::uuid)) AS c (organization_id) LEFT JOIN ${table(DocumentSettings)} s ON ${own('s')}`;

/** Reads the letterhead of an organization's documents. */
@Injectable()
export class Letterheads {
  constructor(private readonly store: Store) {}

  async of(ctx: Ctx): Promise<Letterhead> {
    const [{ name, color, logo }] = await this.store.reader(ctx).sql<Row>(READ);
    return letterheadOf({ name, color, logo: logo && logo.toString('base64') });
  }
}
