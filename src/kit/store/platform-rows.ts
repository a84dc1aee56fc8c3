import type { Type } from '@nestjs/common';
import { own, sql, Sql, table } from '../sql/sql.js';
import type { SqlReader } from './store.js';

// The platform's tables, as modules read them in their SQL.

const NAME = /^[a-z_]\w*$/;

/**
 * The date of today, or of `at`, in the time zone of a row's project: of the row with this alias. It is the date that calendars and due
 * dates of the project refer to.
 */
export function projectDay(alias: string, at?: Date): Sql {
  requireName(alias);
  const project = `local_project WHERE local_project.organization_id = ${alias}.organization_id AND local_project.id = ${alias}.project_id`;
  const text = ` AT TIME ZONE (SELECT local_project.timezone FROM projects ${project}))::date`;
  return at ? new Sql(['(', `::timestamptz${text}`], [at]) : new Sql([`(now()${text}`], []);
}

/** Whether the member whom a column of the row with this alias names is active. */
export function activeMember(alias: string, column: string): Sql {
  return new Sql(
    [`EXISTS (SELECT FROM members named_member WHERE ${isNamedMember(alias, column)} AND named_member.status = 'active')`],
    [],
  );
}

/** Whether the member whom a column of the row with this alias names is active and has a permission. */
export function memberMay(alias: string, column: string, permission: string): Sql {
  const role = 'member_role.organization_id = named_member.organization_id AND member_role.id = named_member.role_id';
  return new Sql(
    [
      `EXISTS (SELECT FROM members named_member JOIN roles member_role ON ${role}
    WHERE ${isNamedMember(alias, column)} AND named_member.status = 'active' AND `,
      ' = ANY(member_role.permissions))',
    ],
    [permission],
  );
}

/** The e-mail address of the member whom a column of the row with this alias names. */
export function memberEmail(alias: string, column: string): Sql {
  return new Sql([`(SELECT named_member.email FROM members named_member WHERE ${isNamedMember(alias, column)})`], []);
}

/** The time zone of a project of the caller's organization. */
export function projectZone(id: string): Sql {
  return sql`(SELECT p.timezone FROM projects p WHERE p.organization_id = ${own.organization} AND p.id = ${id})`;
}

/**
 * The ids of active members among the given ones, in the same order. In a transaction it uses its connection; `Members` would take a second
 * one, and waiting for it while holding the first could starve the pool.
 */
export async function activeMembersOf(reader: SqlReader, ids: readonly string[]): Promise<string[]> {
  const rows = await reader.sql<{ id: string }>(
    sql`SELECT m.id FROM members m WHERE m.organization_id = ${own.organization} AND m.id = ANY(${ids}) AND m.status = 'active'`,
  );
  const active = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => active.has(id));
}

/**
 * Due rows of a scheduled job that works project by project: the projects of all organizations that have a row of the entity, `r`, which
 * meets the condition. The mode is live.
 */
export function projectsWith(entity: Type, condition: Sql): Sql {
  return sql.unscoped('due projects of all organizations')`
    SELECT p.id, p.organization_id, p.id AS project_id, 'live' AS mode FROM projects p
    WHERE EXISTS (SELECT FROM ${table(entity)} r WHERE r.organization_id = p.organization_id AND r.project_id = p.id AND ${condition})`;
}

/** The table of the mails in the outbox, for due rows that follow them: `` sql.unscoped('...')`... JOIN ${MAILS} m ON ...` ``. */
export const MAILS = new Sql(['mails'], []);

/** The name of the organization of the row with this alias. */
export function organizationNameOf(alias: string): Sql {
  requireName(alias);
  return new Sql(
    [
      `(SELECT named_organization.name FROM organizations named_organization
    WHERE named_organization.id = ${alias}.organization_id)`,
    ],
    [],
  );
}

/** The name of the caller's organization. */
export async function organizationName(reader: SqlReader): Promise<string> {
  const [{ name }] = await reader.sql<{ name: string }>(sql`SELECT o.name FROM organizations o WHERE o.id = ${own.organization}`);
  return name;
}

/** The text for whether `named_member` is the member whom a column of the row with this alias names. */
function isNamedMember(alias: string, column: string): string {
  requireName(alias);
  requireName(column);
  return `named_member.organization_id = ${alias}.organization_id AND named_member.id = ${alias}.${column}`;
}

function requireName(name: string): void {
  if (!NAME.test(name)) throw new Error(`${name} is not the name of an alias or a column.`);
}
