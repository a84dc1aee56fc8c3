import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Approved leave keeps the working week that it was counted by, so that a changed holiday does not apply a later week to it. */
export class HrFrozenWeeks1764610000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE hr_leave_requests ADD COLUMN working_week smallint[] CONSTRAINT hr_leave_requests_working_week_check
         CHECK (cardinality(working_week) = 7 AND working_week <@ '{0,1,2}')`,
    );
    await queryRunner.query(
      `UPDATE hr_leave_requests r SET working_week = e.working_week FROM hr_employees e
       WHERE e.id = r.employee_id AND r.status = 'approved'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE hr_leave_requests DROP COLUMN working_week');
  }
}
