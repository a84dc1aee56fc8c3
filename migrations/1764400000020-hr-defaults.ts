import type { MigrationInterface, QueryRunner } from 'typeorm';
import { uuidv7 } from 'uuidv7';

const TYPES = [
  // name, paid, days per year, requires approval, may become negative, carried over, until, hidden
  ['Vacation', true, 25, true, false, 5, '03-31', false],
  ['Sick leave', true, null, false, true, 0, null, true],
  ['Unpaid leave', false, null, true, true, 0, null, false],
] as const;

/** Gives existing projects the leave types and the holiday calendar that new projects get on creation. */
export class HrDefaults1764400000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const projects = (await queryRunner.query('SELECT organization_id, id FROM projects')) as { organization_id: string; id: string }[];
    for (const { organization_id, id } of projects) {
      await queryRunner.query(`INSERT INTO hr_holiday_calendars (id, organization_id, project_id, name) VALUES ($1, $2, $3, 'Standard')`, [
        uuidv7(),
        organization_id,
        id,
      ]);
      for (const type of TYPES)
        await queryRunner.query(
          `INSERT INTO hr_leave_types (id, organization_id, project_id, name, paid, days_per_year, requires_approval, allow_negative,
             carry_over_days, carry_over_expires, hidden) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
          [uuidv7(), organization_id, id, ...type],
        );
    }
  }

  /** Keeps the rows, which may be in use by now; reverting the earlier migrations drops their tables. */
  async down(): Promise<void> {}
}
