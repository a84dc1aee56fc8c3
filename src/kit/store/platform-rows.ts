import type { Type } from '@nestjs/common';
import { own, sql, Sql, table } from '../sql/sql.js';
import type { SqlReader } from './store.js';

// The platform's tables, as modules read them in their SQL.

const NAME = /^[a-z_]\w*$/;

/**
 * The date of today, or of `at`, in the time zone of a row's project: of the row with this alias. It is the date that calendars and due
 * dates of the project refer to.
 *
 * @example
 * ```ts
 * import { own, projectDay, sql, table } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * export const startingToday = sql`SELECT t.id FROM ${table(Trip)} t WHERE ${own('t')} AND t.starts_on = ${projectDay('t')}`;
 * ```
 */
export function projectDay(alias: string, at?: Date): Sql {
  requireName(alias);
  const project = `local_project WHERE local_project.organization_id = ${alias}.organization_id AND local_project.id = ${alias}.project_id`;
  const text = ` AT TIME ZONE (SELECT local_project.timezone FROM projects ${project}))::date`;
  return at ? new Sql(['(', `::timestamptz${text}`], [at]) : new Sql([`(now()${text}`], []);
}

/**
 * Whether the member whom a column of the row with this alias names is active.
 *
 * @example
 * ```ts
 * import { activeMember, own, sql, table } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * export const driven = sql`SELECT t.id FROM ${table(Trip)} t WHERE ${own('t')} AND ${activeMember('t', 'driver_id')}`;
 * ```
 */
export function activeMember(alias: string, column: string): Sql {
  return new Sql(
    [`EXISTS (SELECT FROM members named_member WHERE ${isNamedMember(alias, column)} AND named_member.status = 'active')`],
    [],
  );
}

/**
 * Whether the member whom a column of the row with this alias names is active and has a permission.
 *
 * @example
 * ```ts
 * import { memberMay, own, sql, table } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * export const approvable = sql`
 *   SELECT t.id FROM ${table(Trip)} t WHERE ${own('t')} AND ${memberMay('t', 'approver_id', 'fleet.trip.approve')}`;
 * ```
 */
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

/**
 * The e-mail address of the member whom a column of the row with this alias names.
 *
 * @example
 * ```ts
 * import { memberEmail, own, sql, table } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * export const drivers = sql`SELECT t.id, ${memberEmail('t', 'driver_id')} AS email FROM ${table(Trip)} t WHERE ${own('t')}`;
 * ```
 */
export function memberEmail(alias: string, column: string): Sql {
  return new Sql([`(SELECT named_member.email FROM members named_member WHERE ${isNamedMember(alias, column)})`], []);
}

/**
 * The time zone of a project of the caller's organization.
 *
 * @example
 * ```ts
 * import { projectZone, sql } from 'work-suite/kit';
 *
 * export const localNoon = (projectId: string) => sql`SELECT '2026-11-29 12:00'::timestamp AT TIME ZONE ${projectZone(projectId)} AS noon`;
 * ```
 */
export function projectZone(id: string): Sql {
  return sql`(SELECT p.timezone FROM projects p WHERE p.organization_id = ${own.organization} AND p.id = ${id})`;
}

/**
 * The ids of active members among the given ones, in the same order. In a transaction it uses its connection; `Members` would take a second
 * one, and waiting for it while holding the first could starve the pool.
 *
 * @example
 * ```ts
 * import { activeMembersOf, invalid, type Tx } from 'work-suite/kit';
 *
 * export async function requireMembers(tx: Tx, ids: readonly string[]): Promise<void> {
 *   const active = await activeMembersOf(tx, ids);
 *   if (active.length < ids.length) throw invalid('member_ids', 'must be active members');
 * }
 * ```
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
 *
 * @example
 * ```ts
 * import { projectsWith, sql } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * export const dueProjects = projectsWith(Trip, sql`r.status = 'planned'`);
 * ```
 */
export function projectsWith(entity: Type, condition: Sql): Sql {
  return sql.unscoped('due projects of all organizations')`
    SELECT p.id, p.organization_id, p.id AS project_id, 'live' AS mode FROM projects p
    WHERE EXISTS (SELECT FROM ${table(entity)} r WHERE r.organization_id = p.organization_id AND r.project_id = p.id AND ${condition})`;
}

/**
 * The table of the mails in the outbox, for due rows that follow them: `` sql.unscoped('...')`... JOIN ${MAILS} m ON ...` ``.
 *
 * @example
 * ```ts
 * import { MAILS, sql, table } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * export const due = sql.unscoped('trips of all organizations whose mail was sent')`
 *   SELECT t.id, t.organization_id, t.project_id, t.mode FROM ${table(Trip)} t
 *   JOIN ${MAILS} m ON m.id = t.mail_id WHERE m.status = 'sent'`;
 * ```
 */
export const MAILS = new Sql(['mails'], []);

/**
 * The name of the organization of the row with this alias.
 *
 * @example
 * ```ts
 * import { organizationNameOf, sql, table } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * export const ofToken = (hash: string) => sql.unscoped('the token identifies the row')`
 *   SELECT t.id, ${organizationNameOf('t')} AS organization FROM ${table(Trip)} t WHERE t.token_hash = ${hash}`;
 * ```
 */
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

/**
 * The number of bytes of the object that a column of the row with this alias names; null if it names none.
 *
 * @example
 * ```ts
 * import { objectSize, sql } from 'work-suite/kit';
 *
 * export const columns = sql`p.id, ${objectSize('p', 'scan_object_id')} AS scan`;
 * ```
 */
export function objectSize(alias: string, column: string): Sql {
  return ofObject('size', alias, column);
}

/**
 * The hash of that object, hexadecimal.
 *
 * @example
 * ```ts
 * import { objectSha256, sql } from 'work-suite/kit';
 *
 * export const columns = sql`p.id, ${objectSha256('p', 'scan_object_id')} AS scan`;
 * ```
 */
export function objectSha256(alias: string, column: string): Sql {
  return ofObject('sha256', alias, column);
}

function ofObject(what: 'size' | 'sha256', alias: string, column: string): Sql {
  requireName(alias);
  requireName(column);
  const named = `named_object.organization_id = ${alias}.organization_id AND named_object.id = ${alias}.${column}`;
  return new Sql([`(SELECT named_object.${what} FROM objects named_object WHERE ${named})`], []);
}

/**
 * The name of the caller's organization.
 *
 * @example
 * ```ts
 * import { organizationName, type Tx } from 'work-suite/kit';
 *
 * export const greeting = async (tx: Tx) => `Welcome to ${await organizationName(tx)}`;
 * ```
 */
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
