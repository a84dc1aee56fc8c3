import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The lock of a project's months is a function, which `accounting_take_period` and the closing of months call. */
export class AccountingPeriodLock1764900000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION accounting_lock_periods(project uuid) RETURNS void LANGUAGE sql VOLATILE AS $$
        SELECT pg_advisory_xact_lock(hashtextextended('accounting periods ' || project, 0))
      $$`);
    await queryRunner.query(takePeriod('accounting_lock_periods(project)'));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(takePeriod(`pg_advisory_xact_lock(hashtextextended('accounting periods ' || project, 0))`));
    await queryRunner.query('DROP FUNCTION accounting_lock_periods');
  }
}

const takePeriod = (lock: string) => `
      CREATE OR REPLACE FUNCTION accounting_take_period(organization uuid, project uuid, day date) RETURNS text
      LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        first date := date_trunc('month', day)::date;
        found_status text;
      BEGIN
        SELECT status INTO found_status FROM accounting_periods WHERE project_id = project AND month = first FOR SHARE;
        IF FOUND THEN RETURN found_status; END IF;
        PERFORM ${lock};
        IF EXISTS (SELECT 1 FROM accounting_periods WHERE project_id = project AND month > first AND status = 'closed') THEN
          RETURN 'closed';
        END IF;
        INSERT INTO accounting_periods (id, organization_id, project_id, month)
          VALUES (accounting_uuidv7(), organization, project, first) ON CONFLICT (project_id, month) DO NOTHING;
        SELECT status INTO found_status FROM accounting_periods WHERE project_id = project AND month = first FOR SHARE;
        RETURN found_status;
      END $$`;
