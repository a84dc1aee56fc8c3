import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Manifest } from '../../../kit/internal.js';
import { ModuleRegistry } from '../../registry/module-registry.js';

/** Unique indexes need no constraint, and triggers raise errors with the name of one. */
const UNKNOWN = `
  SELECT name FROM unnest($1::text[]) name
  WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conname = name AND connamespace = current_schema()::regnamespace)
    AND NOT EXISTS (SELECT FROM pg_class WHERE relname = name AND relkind IN ('i', 'I') AND relnamespace = current_schema()::regnamespace)
    AND NOT EXISTS (SELECT FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND strpos(prosrc, format('%L', name)) > 0)`;

const PARTITIONED_OTHERWISE = `
  SELECT name, is_said FROM unnest($1::text[], $2::boolean[]) AS rule (name, is_said)
  WHERE to_regclass(name) IS NOT NULL AND is_said <> EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = to_regclass(name))`;

/** Refuses to start if a manifest names what the database does not have: a constraint, a table, or what its conditions read. */
@Injectable()
export class ManifestCheck implements OnModuleInit {
  constructor(
    private readonly registry: ModuleRegistry,
    private readonly dataSource: DataSource,
  ) {}

  async onModuleInit(): Promise<void> {
    const problems = [
      ...(await this.constraintProblems()),
      ...(await this.partitionProblems()),
      ...(await Promise.all(this.registry.manifests.map((manifest) => this.tableProblems(manifest)))).flat(),
    ];
    if (problems.length > 0)
      throw new Error(`The modules do not match the database; correct the names, or write the migration:\n- ${problems.join('\n- ')}`);
  }

  private async constraintProblems(): Promise<string[]> {
    const owners = new Map(
      this.registry.manifests.flatMap(({ name, constraints }) => Object.keys(constraints ?? {}).map((constraint) => [constraint, name])),
    );
    if (owners.size === 0) return [];
    const unknown = await this.dataSource.query<{ name: string }[]>(UNKNOWN, [[...owners.keys()]]);
    return unknown.map(({ name }) => `${owners.get(name)}: no table has the constraint ${name}, which the manifest declares`);
  }

  /** A rule without a condition that does not say `partitioned` would delete from each partition what could be dropped with it. */
  private async partitionProblems(): Promise<string[]> {
    const rules = this.registry.retention().filter(({ where }) => where === undefined);
    if (rules.length === 0) return [];
    const values = [rules.map(({ table }) => table), rules.map(({ partitioned = false }) => partitioned)];
    const otherwise = await this.dataSource.query<{ name: string; is_said: boolean }[]>(PARTITIONED_OTHERWISE, values);
    return otherwise.map(({ name, is_said }) =>
      is_said
        ? `retention of the table ${name} is partitioned, but the table is not: partition it in a migration`
        : `retention of the table ${name} must be partitioned, as the table is`,
    );
  }

  /** The purge and the outbox would only fail when they run. */
  private async tableProblems({ name, retention = [], eventSubscriptions }: Manifest): Promise<string[]> {
    const statements = retention.map(({ table, column, columnType, where = 'true' }) => {
      const value = columnType === 'uuidv7' ? `'00000000-0000-7000-8000-000000000000'::uuid` : 'now()';
      return { key: 'retention', table, where, statement: `SELECT FROM ${table} WHERE ${column} <= ${value} AND ` };
    });
    if (eventSubscriptions) {
      const { table, where } = eventSubscriptions;
      const statement = `SELECT s.organization_id, s.event_type FROM ${table} s WHERE `;
      statements.push({ key: 'eventSubscriptions', table, where, statement });
    }
    const problems = statements.map(async ({ key, table, where, statement }) => {
      const owner = this.ownerOf(table);
      if (owner !== undefined && owner !== name)
        return `${name}: ${key} names ${table}, a table of ${owner}: declare it in the manifest of ${owner}`;
      try {
        await this.dataSource.query(`${statement}(${where}) LIMIT 0`);
        // a condition that closes parentheses which it does not open would lift the restrictions beside it
        await this.dataSource.query(`${statement}${where} LIMIT 0`);
        return owner === name ? [] : `${name}: ${key} names ${table}, which is no table of the module: list its entity in entities`;
      } catch (error) {
        return `${name}: ${key} of the table ${table} cannot be read: ${(error as Error).message}`;
      }
    });
    return (await Promise.all(problems)).flat();
  }

  private ownerOf(table: string): string | undefined {
    return this.registry.manifests.find(({ entities }) =>
      entities.some((entity) => this.dataSource.getMetadata(entity).tableName === table),
    )?.name;
  }
}
