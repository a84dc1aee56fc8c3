import { Injectable, type Type } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { own, sql, Store, table, type Ctx, type Person, type Sql, type Tx } from '../../../kit/index.js';
import { platformSql } from '../../../kit/internal.js';
import { isRaised } from '../../persistence/database/pg-errors.js';
import { poolOf } from '../../persistence/database/pool.js';
import { ModuleRegistry } from '../../registry/module-registry.js';
import { organizationTables } from '../tables/organization-tables.js';
import { eraseRows, everywhere, type ErasedRows } from './erase-rows.js';
import { PLATFORM_RULES } from './platform-rules.js';
import { mentionsOf, type Mention } from './mentions.js';

export interface PersonReport {
  /** Whether anything was changed. */
  dry_run: boolean;
  rows: ErasedRows[];
  /** Where the address or a name is still found. */
  mentions: Mention[];
}

/** Triggers that keep what somebody wrote let an erasure change it. Searching all texts of a table takes time. */
const PERMIT = `SELECT set_config('work_suite.person_erasure', 'on', true), set_config('statement_timeout', '5min', true)`;
const FORBID = `SELECT set_config('work_suite.person_erasure', '', true)`;

class DryRunEnded extends Error {
  constructor(readonly report: PersonReport) {
    super();
  }
}

/** Erases a person in all modules, as their manifests declare it, and says what stays. */
@Injectable()
export class PersonErasures {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: Store,
    private readonly registry: ModuleRegistry,
  ) {}

  /** In one transaction. A dry run reports the same, and changes nothing. */
  async erase(ctx: Ctx, address: string, dryRun: boolean): Promise<PersonReport> {
    const person = { email: address.trim().toLowerCase() };
    const tables = await organizationTables(poolOf(this.dataSource));
    return this.store.write(ctx, async (tx) => {
      try {
        return await tx.attempt(async () => {
          const names = new Set(await formerMembers(ctx, tx, person));
          await tx.sql(platformSql(PERMIT));
          const rows = await this.eraseAll(tx, person, names);
          await tx.sql(platformSql(FORBID));
          for (const rule of PLATFORM_RULES) rows.push(...(await rule(ctx, tx, person.email)));
          const report = { dry_run: dryRun, rows: rows.filter(({ erased, kept }) => erased + kept > 0), mentions: [] as Mention[] };
          report.mentions = await mentionsOf(ctx, tx, tables.tables, person.email, [...names].filter(isFullName), this.registry.manifests);
          if (dryRun) throw new DryRunEnded(report);
          const counts = Object.fromEntries(report.rows.map(({ title, erased, kept }) => [title, { erased, kept }]));
          // without the address, which the log would keep
          tx.advanced.audit({ action: 'erased', objectType: 'person', objectId: null, after: counts });
          return report;
        });
      } catch (error) {
        if (error instanceof DryRunEnded) return error.report;
        throw error;
      }
    });
  }

  private async eraseAll(tx: Tx, person: Person, names: Set<string>): Promise<ErasedRows[]> {
    const rows: ErasedRows[] = [];
    for (const { name, personalData = [] } of this.registry.manifests)
      for (const rule of personalData)
        rows.push(await tx.attempt(() => eraseRows(tx, name, rule, person, this.hasColumn(rule.entity, 'version'), names)));
    for (const { name, entities } of this.registry.manifests) {
      let erased = 0;
      for (const entity of entities) erased += await this.eraseActors(tx, entity, person);
      rows.push({ module: name, title: 'e-mail addresses of whoever made a change', erased, kept: 0, why: null });
    }
    return rows;
  }

  /** Who did something is kept as an id. Rows that never change keep the address, which the search finds. */
  private async eraseActors(tx: Tx, entity: Type, { email }: Person): Promise<number> {
    if (!this.hasColumn(entity, 'organization_id')) return 0;
    let erased = 0;
    for (const { type, databaseName } of this.dataSource.getMetadata(entity).columns) {
      if (type !== 'jsonb') continue;
      const column = sql.column(databaseName);
      const isTheirs = sql`${own('t')} AND jsonb_typeof(t.${column}) = 'object' AND t.${column} ->> 'type' IS NOT NULL
        AND lower(t.${column} ->> 'email') = ${email}`;
      const eraseWhere = async (condition: Sql) => {
        const changed = everywhere`
          UPDATE ${table(entity)} t SET ${column} = jsonb_set(t.${column}, '{email}', 'null') WHERE ${condition} RETURNING 1`;
        try {
          return (await tx.attempt(() => tx.sql(changed))).length;
        } catch (error) {
          if (isRaised(error)) return null;
          throw error;
        }
      };
      const all = await eraseWhere(isTheirs);
      erased += all ?? 0;
      if (all !== null || !this.hasColumn(entity, 'id')) continue;
      // a trigger keeps some of them
      const found = await tx.sql<{ id: string }>(everywhere`SELECT t.id FROM ${table(entity)} t WHERE ${isTheirs}`);
      for (const { id } of found) erased += (await eraseWhere(sql`${isTheirs} AND t.id = ${id}`)) ?? 0;
    }
    return erased;
  }

  private hasColumn(entity: Type, name: string): boolean {
    return this.dataSource.getMetadata(entity).findColumnWithDatabaseName(name) !== undefined;
  }
}

/** The name of a former member, which is about to be erased. */
async function formerMembers({ organizationId }: Ctx, tx: Tx, { email }: Person): Promise<string[]> {
  const found = await tx.sql<{ name: string }>(
    platformSql(`SELECT name FROM members WHERE organization_id = $1 AND email = $2 AND status = 'inactive'`, [organizationId, email]),
  );
  return found.map(({ name }) => name);
}

/** Of several words: a first name alone is that of others, too. */
function isFullName(name: string): boolean {
  return /\S{2,}\s+\S{2,}/.test(name);
}
