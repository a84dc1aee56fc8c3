import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { decimalOfUnits, unitsOf, sql, type Actor, type Ctx, type Tx } from '../../../kit/index.js';
import { yearOf } from '../model/days.js';

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
const GRANTED = `
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
  async complete(ctx: Ctx, tx: Tx, projectId: string, today: string, employeeIds: readonly string[] | null = null): Promise<void> {
    // concurrent calls would grant twice
    await tx.mutex(`hr leave accounts ${projectId}`);
    for (let from: string | null = FIRST_ID; from !== null;) from = await this.createAccounts(ctx, tx, projectId, employeeIds, from);
    const year = yearOf(today);
    for (let from: string | null = FIRST_ID; from !== null;) from = await this.grant(ctx, tx, projectId, year, employeeIds, from);
  }

  /** Creates the accounts of a batch of employees, from an id on; returns the id to continue from, or null after the last batch. */
  private async createAccounts(
    ctx: Ctx,
    tx: Tx,
    projectId: string,
    employeeIds: readonly string[] | null,
    from: string,
  ): Promise<string | null> {
    const rows = await tx.query<Omit<Missing, 'id'>>(
      sql.legacy(
        `SELECT e.project_id, e.mode, e.id AS employee_id, t.id AS leave_type_id
       FROM hr_employees e JOIN hr_leave_types t ON t.organization_id = e.organization_id AND t.project_id = e.project_id
       WHERE e.organization_id = $1 AND e.project_id = $2 AND e.status <> 'left' AND ($3::uuid[] IS NULL OR e.id = ANY($3))
         AND NOT EXISTS (SELECT 1 FROM hr_leave_accounts a WHERE a.employee_id = e.id AND a.leave_type_id = t.id)
         AND e.id >= $4
       ORDER BY e.id, t.id LIMIT $5`,
        [ctx.organizationId, projectId, employeeIds, from, BATCH],
      ),
    );
    if (rows.length === 0) return null;
    await tx.query(
      sql.legacy(
        `INSERT INTO hr_leave_accounts (id, organization_id, project_id, mode, employee_id, leave_type_id)
       SELECT n.id, $1, $2, n.mode, n.employee_id, n.leave_type_id
       FROM unnest($3::uuid[], $4::text[], $5::uuid[], $6::uuid[]) AS n (id, mode, employee_id, leave_type_id)`,
        [
          ctx.organizationId,
          projectId,
          rows.map(() => uuidv7()),
          rows.map(({ mode }) => mode),
          rows.map(({ employee_id }) => employee_id),
          rows.map(({ leave_type_id }) => leave_type_id),
        ],
      ),
    );
    return nextOf(rows);
  }

  private async grant(
    ctx: Ctx,
    tx: Tx,
    projectId: string,
    year: number,
    employeeIds: readonly string[] | null,
    from: string,
  ): Promise<string | null> {
    const rows = await tx.query<Missing>(
      sql.legacy(
        `SELECT m.* FROM (
         SELECT e.mode, e.id AS employee_id, t.id AS leave_type_id, a.id AS account_id, y.year,
           (${GRANTED} - COALESCE(g.days, 0))::text AS days, g.days IS NOT NULL AS granted
         FROM hr_employees e JOIN hr_leave_accounts a ON a.employee_id = e.id
           JOIN hr_leave_types t ON t.id = a.leave_type_id AND t.days_per_year IS NOT NULL
           CROSS JOIN (VALUES ($3::integer), ($3 + 1)) AS y (year)
           LEFT JOIN LATERAL (SELECT sum(l.days) AS days FROM hr_leave_ledger l WHERE l.account_id = a.id
             AND l.kind = 'grant' AND l.automatic AND l."on" = make_date(y.year, 1, 1)) g ON true
         WHERE e.organization_id = $1 AND e.project_id = $2 AND ($4::uuid[] IS NULL OR e.id = ANY($4))
           AND (e.status <> 'left' OR y.year > $3) AND (t.active OR g.days IS NOT NULL) AND e.id >= $5) m
       WHERE m.days::numeric <> 0 AND (m.year > $3 OR NOT m.granted)
       ORDER BY m.employee_id LIMIT $6`,
        [ctx.organizationId, projectId, year, employeeIds, from, BATCH],
      ),
    );
    if (rows.length === 0) return null;
    const granted = {
      account_id: rows.map(({ account_id }) => account_id),
      until: rows.map((row) => `${row.year}-12-31`),
    };
    await tx.query(
      sql.legacy(
        `INSERT INTO hr_leave_ledger (id, organization_id, project_id, mode, account_id, employee_id, leave_type_id, kind, "on", days,
         expires_on, automatic, created_by)
       SELECT n.id, $1, $2, n.mode, n.account_id, n.employee_id, n.leave_type_id, 'grant', n."on", n.days, n.until, true, $3
       FROM unnest($4::uuid[], $5::text[], $6::uuid[], $7::uuid[], $8::uuid[], $9::date[], $10::numeric[], $11::date[])
         AS n (id, mode, account_id, employee_id, leave_type_id, "on", days, until)`,
        [
          ctx.organizationId,
          projectId,
          JSON.stringify(SYSTEM),
          rows.map(() => uuidv7()),
          rows.map(({ mode }) => mode),
          granted.account_id,
          rows.map(({ employee_id }) => employee_id),
          rows.map(({ leave_type_id }) => leave_type_id),
          rows.map((row) => `${row.year}-01-01`),
          rows.map(({ days }) => days),
          granted.until,
        ],
      ),
    );
    await tx.query(
      sql.legacy(
        `UPDATE hr_leave_accounts a SET next_expiry_on = LEAST(a.next_expiry_on, n.until), version = a.version + 1, updated_at = now()
       FROM (SELECT account_id, min(until) AS until FROM unnest($2::uuid[], $3::date[]) AS n (account_id, until) GROUP BY account_id) n
       WHERE a.id = n.account_id AND a.organization_id = $1`,
        [ctx.organizationId, granted.account_id, granted.until],
      ),
    );
    return nextOf(rows);
  }
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
