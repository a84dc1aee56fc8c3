import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { sql, type DefaultRole, type Tx } from '../../../kit/index.js';
import type { AuditRecord } from '../../../kit/internal.js';
import { KeyChanges } from '../../key-changes/key-changes.js';
import { poolOf } from '../../persistence/database/pool.js';
import { PermissionRegistry } from '../../registry/permission-registry.js';

/** Taken alone while permissions are applied, shared while an organization is created, so that neither misses the other. */
const LOCK = 7_410_332_918;

interface Row {
  role: DefaultRole;
  permission: string;
}

/** Enters a change in the log of the installation, in its transaction. */
type Note = (query: Query, record: AuditRecord) => Promise<void>;

type Query = <R>(text: string, values: unknown[]) => Promise<R[]>;

/**
 * The permissions of the default roles (`roles.built_in`), which organizations cannot change. `default_permissions` notes what they
 * have. Permissions are only ever added: during a rolling upgrade, processes of the previous version neither take away what they do
 * not know nor create organizations without it, and a module whose line was removed finds its permissions again when it returns.
 */
@Injectable()
export class DefaultPermissions {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly permissions: PermissionRegistry,
    private readonly keyChanges: KeyChanges,
  ) {}

  /** Gives the default roles of all organizations the permissions that are new. If none are, it only reads what is noted. */
  async apply(note: Note): Promise<void> {
    const pool = poolOf(this.dataSource);
    const noted: Query = async <R>(text: string, values: unknown[]) => (await pool.query(text, values)).rows as R[];
    if ((await this.missing(noted)).length === 0) return;
    const client = await pool.connect();
    let takeEffect = async (): Promise<void> => undefined;
    const query: Query = async <R>(text: string, values: unknown[] = []) => (await client.query(text, values)).rows as R[];
    let failure: Error | undefined;
    try {
      await query('BEGIN', []);
      await query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
      for (const [role, added] of Map.groupBy(await this.missing(query), (row) => row.role)) {
        const names = added.map(({ permission }) => permission);
        const [{ roles }] = await query<{ roles: number }>(
          `WITH changed AS (
             UPDATE roles SET permissions = permissions || ARRAY(SELECT p FROM unnest($2::text[]) WITH ORDINALITY AS added (p, place)
             WHERE p <> ALL (permissions) ORDER BY place), version = version + 1, updated_at = now()
           WHERE built_in AND name = $1 AND NOT permissions @> $2::text[] RETURNING id)
           SELECT count(*)::int AS roles FROM changed`,
          [role, names],
        );
        await query('INSERT INTO default_permissions (role, permission) SELECT $1, unnest($2::text[])', [role, names]);
        // at the first start there is none
        if (roles > 0)
          await note(query, { action: 'updated', objectType: 'default_role', objectId: role, after: { added: names.join(' '), roles } });
      }
      // cached keys contain the permissions of the member they act for
      takeEffect = await this.keyChanges.announceEveryKey(client);
      await query('COMMIT', []);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
    await takeEffect();
  }

  /** The permissions of a new organization's roles: also those that only a newer version declares. */
  async ofNewOrganization(tx: Tx): Promise<Map<DefaultRole, string[]>> {
    await tx.sql(sql`SELECT pg_advisory_xact_lock_shared(${LOCK})`);
    const noted = await tx.sql<Row>(sql`SELECT d.role, d.permission FROM default_permissions d ORDER BY d.role, d.permission`);
    return new Map(
      [...this.permissions.defaults].map(([role, declared]) => [
        role,
        [...new Set([...declared, ...noted.filter((row) => row.role === role).map(({ permission }) => permission)])],
      ]),
    );
  }

  private async missing(query: Query): Promise<Row[]> {
    const noted = await query<Row>('SELECT role, permission FROM default_permissions', []);
    const known = new Set(noted.map(({ role, permission }) => `${role} ${permission}`));
    return [...this.permissions.defaults].flatMap(([role, declared]) =>
      declared.filter((permission) => !known.has(`${role} ${permission}`)).map((permission) => ({ role, permission })),
    );
  }
}
