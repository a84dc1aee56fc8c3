import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { decimalOfUnits, own, sql, table, unitsOf, type Actor, type Sql, type Tx } from '../../../kit/index.js';
import { yearOf } from '../model/days.js';
import { Employee } from '../model/employee.entity.js';
import { LeaveAccount } from '../model/leave-account.entity.js';
import { LeaveType } from '../model/leave-type.entity.js';
import { LedgerEntry } from '../model/ledger-entry.entity.js';

interface Missing {
  id: string;
  project_id: string;
  mode: string;
  employee_id: string;
  leave_type_id: string;
  account_id: string;
  year: number;
  days: string;
}

/** The days granted for a year: all of them, or in the year of hiring a twelfth for each full month, rounded to half days. */
const GRANTED = sql`
  CASE WHEN extract(year FROM e.hired_on) > y.year OR (e.left_on IS NOT NULL AND extract(year FROM e.left_on) < y.year) THEN 0
       WHEN extract(year FROM e.hired_on) = y.year
       THEN round(t.days_per_year * (12 - extract(month FROM e.hired_on) + (extract(day FROM e.hired_on) = 1)::integer) / 12 * 2) / 2
       ELSE t.days_per_year END`;

/** Creates the accounts of employees and leave types, and posts the yearly grants. Handles many employees at once, in both modes. */
@Injectable()
export class LeaveAccounts {
  /**
   * Completes the accounts of a project, or of some of its employees. `today` is the day in the project's time zone. The next year is
   * granted in advance, so that leave in it can be requested; that grant follows changes of the type until the year begins.
   */
  async complete(tx: Tx, projectId: string, today: string, employeeIds: readonly string[] | null = null): Promise<void> {
    // concurrent calls would grant twice
    await tx.advanced.mutex(`hr leave accounts ${projectId}`);
    for (let from: string | null = FIRST_ID; from !== null;) from = await this.createAccounts(tx, projectId, employeeIds, from);
    const year = yearOf(today);
    for (let from: string | null = FIRST_ID; from !== null;) from = await this.grant(tx, projectId, year, employeeIds, from);
  }

  /** Creates the accounts of a batch of employees, from an id on; returns the id to continue from, or null after the last batch. */
  private async createAccounts(tx: Tx, projectId: string, employeeIds: readonly string[] | null, from: string): Promise<string | null> {
    const rows = await tx.sql<Omit<Missing, 'id'>>(
      sql.inBothModes('both modes have accounts of a leave type')`SELECT e.project_id, e.mode, e.id AS employee_id, t.id AS leave_type_id
        FROM ${table(Employee)} e JOIN ${table(LeaveType)} t ON t.organization_id = e.organization_id AND t.project_id = e.project_id
        WHERE ${own('e')} AND e.project_id = ${projectId} AND e.status <> 'left' AND ${among(employeeIds)}
          AND NOT EXISTS (SELECT FROM ${table(LeaveAccount)} a WHERE a.employee_id = e.id AND a.leave_type_id = t.id)
          AND e.id >= ${from}
        ORDER BY e.id, t.id LIMIT ${BATCH}`,
    );
    if (rows.length === 0) return null;
    await tx.sql(
      sql.inBothModes(
        'both modes have accounts of a leave type',
      )`INSERT INTO ${table(LeaveAccount)} (organization_id, project_id, id, mode, employee_id, leave_type_id)
        SELECT ${own.organization}, ${projectId}, n.*
        FROM unnest(${rows.map(() => uuidv7())}::uuid[], ${rows.map(({ mode }) => mode)}::text[],
          ${rows.map(({ employee_id }) => employee_id)}::uuid[], ${rows.map(({ leave_type_id }) => leave_type_id)}::uuid[])
          AS n (id, mode, employee_id, leave_type_id)`,
    );
    return nextOf(rows);
  }

  private async grant(
    tx: Tx,
    projectId: string,
    year: number,
    employeeIds: readonly string[] | null,
    from: string,
  ): Promise<string | null> {
    const rows = await tx.sql<Missing>(
      sql.inBothModes('both modes have accounts of a leave type')`SELECT m.* FROM (
          SELECT e.mode, e.id AS employee_id, t.id AS leave_type_id, a.id AS account_id, y.year,
            (${GRANTED} - COALESCE(g.days, 0))::text AS days, g.days IS NOT NULL AS granted
          FROM ${table(Employee)} e JOIN ${table(LeaveAccount)} a ON a.employee_id = e.id
            JOIN ${table(LeaveType)} t ON t.id = a.leave_type_id AND t.days_per_year IS NOT NULL
            CROSS JOIN (VALUES (${year}::integer), (${year + 1}::integer)) AS y (year)
            LEFT JOIN LATERAL (SELECT sum(l.days) AS days FROM ${table(LedgerEntry)} l WHERE l.account_id = a.id
              AND l.kind = 'grant' AND l.automatic AND l."on" = make_date(y.year, 1, 1)) g ON true
          WHERE ${own('e')} AND e.project_id = ${projectId} AND ${among(employeeIds)}
            AND (e.status <> 'left' OR y.year > ${year}) AND (t.active OR g.days IS NOT NULL) AND e.id >= ${from}) m
        WHERE m.days::numeric <> 0 AND (m.year > ${year} OR NOT m.granted)
        ORDER BY m.employee_id LIMIT ${BATCH}`,
    );
    if (rows.length === 0) return null;
    const accountIds = rows.map(({ account_id }) => account_id);
    const until = rows.map((row) => `${row.year}-12-31`);
    await tx.sql(
      sql.inBothModes(
        'both modes have accounts of a leave type',
      )`INSERT INTO ${table(LedgerEntry)} (organization_id, project_id, kind, automatic, created_by, id, mode, account_id,
          employee_id, leave_type_id, "on", days, expires_on)
        SELECT ${own.organization}, ${projectId}, 'grant', true, ${JSON.stringify(SYSTEM)}, n.*
        FROM unnest(${rows.map(() => uuidv7())}::uuid[], ${rows.map(({ mode }) => mode)}::text[], ${accountIds}::uuid[],
          ${rows.map(({ employee_id }) => employee_id)}::uuid[], ${rows.map(({ leave_type_id }) => leave_type_id)}::uuid[],
          ${rows.map((row) => `${row.year}-01-01`)}::date[], ${rows.map(({ days }) => days)}::numeric[], ${until}::date[])
          AS n (id, mode, account_id, employee_id, leave_type_id, "on", days, expires_on)`,
    );
    await tx.sql(
      sql.inBothModes('both modes have accounts of a leave type')`UPDATE ${table(LeaveAccount)} a
        SET next_expiry_on = LEAST(a.next_expiry_on, n.until), version = a.version + 1, updated_at = now()
        FROM (SELECT account_id, min(until) AS until FROM unnest(${accountIds}::uuid[], ${until}::date[]) AS n (account_id, until)
          GROUP BY account_id) n
        WHERE a.id = n.account_id AND ${own('a')}`,
    );
    return nextOf(rows);
  }
}

/** Of the employees `e`; null for all. */
function among(ids: readonly string[] | null): Sql {
  return ids === null ? sql`true` : sql`e.id = ANY(${ids})`;
}

/** The most rows that one statement reads and writes. */
const BATCH = 10_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The last employee of the batch, who may have further rows; rows that are done are not selected again. */
function nextOf(rows: readonly { employee_id: string }[]): string | null {
  return rows.length < BATCH ? null : rows[rows.length - 1].employee_id;
}

export const SYSTEM: Actor = { type: 'system', id: null, email: null };

const PLACES = 2;

/** Hundredths of a day. */
export function hundredths(days: string): number {
  return Number(unitsOf(days, PLACES));
}

export function daysOf(amount: number): string {
  return decimalOfUnits(BigInt(amount), PLACES);
}
