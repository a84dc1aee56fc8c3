import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { tableOfEntity } from '../../persistence/database/installed-modules.js';
import { poolOf } from '../../persistence/database/pool.js';
import { ModuleRegistry } from '../../registry/module-registry.js';
import { ClosureErrors } from './closures.errors.js';

/** The legal holds that modules declare in their manifests. */
@Injectable()
export class LegalHolds {
  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: ModuleRegistry,
  ) {}

  /** In words, for example `2 documents`; empty without a hold. Takes a connection: not for use within a transaction. */
  async of(organizationId: string): Promise<string[]> {
    const held: string[] = [];
    for (const { entity, where, title } of this.registry.manifests.flatMap(({ legalHolds }) => legalHolds ?? [])) {
      const text = `SELECT count(*)::int AS rows FROM "${tableOfEntity(entity)}" WHERE organization_id = $1 AND (${where})`;
      const [{ rows }] = (await poolOf(this.dataSource).query<{ rows: number }>(text, [organizationId])).rows;
      if (rows > 0) held.push(`${rows} ${title}`);
    }
    return held;
  }

  /** Throws `legal_hold` if there is one. */
  async requireNone(organizationId: string): Promise<void> {
    const held = await this.of(organizationId);
    if (held.length > 0)
      throw ClosureErrors.legalHold({ message: `A legal hold lies on ${held.join(' and ')}: end it before the data is deleted.` });
  }
}
