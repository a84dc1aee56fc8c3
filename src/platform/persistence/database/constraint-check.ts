import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ModuleRegistry } from '../../registry/module-registry.js';

/** Unique indexes need no constraint, and triggers raise errors with the name of one. */
const UNKNOWN = `
  SELECT name FROM unnest($1::text[]) name
  WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conname = name AND connamespace = current_schema()::regnamespace)
    AND NOT EXISTS (SELECT FROM pg_class WHERE relname = name AND relkind = 'i' AND relnamespace = current_schema()::regnamespace)
    AND NOT EXISTS (SELECT FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND strpos(prosrc, format('%L', name)) > 0)`;

/** Refuses to start if a manifest declares an error for a constraint that the database does not have: it would never be thrown. */
@Injectable()
export class ConstraintCheck implements OnModuleInit {
  constructor(
    private readonly registry: ModuleRegistry,
    private readonly dataSource: DataSource,
  ) {}

  async onModuleInit(): Promise<void> {
    const owners = new Map(
      this.registry.manifests.flatMap(({ name, constraints }) => Object.keys(constraints ?? {}).map((constraint) => [constraint, name])),
    );
    if (owners.size === 0) return;
    const unknown = await this.dataSource.query<{ name: string }[]>(UNKNOWN, [[...owners.keys()]]);
    if (unknown.length === 0) return;
    const problems = unknown.map(({ name }) => `${owners.get(name)}: no table has the constraint ${name}, which the manifest declares`);
    throw new Error(`The modules do not match the database; correct the names, or write the migration:\n- ${problems.join('\n- ')}`);
  }
}
