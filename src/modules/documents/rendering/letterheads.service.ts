import { Injectable } from '@nestjs/common';
import { Store, sql, type Ctx } from '../../../kit/index.js';
import type { Letterhead } from './pdf/page-frame.js';

interface Row {
  name: string;
  color: string | null;
  logo: Buffer | null;
}

const READ = `
  SELECT o.name, s.color, s.logo
  FROM organizations o LEFT JOIN document_settings s ON s.organization_id = o.id WHERE o.id = $1`;

/** Reads the letterhead of an organization's documents. */
@Injectable()
export class Letterheads {
  constructor(private readonly store: Store) {}

  async of(ctx: Ctx): Promise<Letterhead> {
    const [{ name, color, logo }] = await this.store.reader(ctx).query<Row>(sql.legacy(READ, [ctx.organizationId]));
    return { name, color, logo: logo && logo.toString('base64') };
  }
}
