import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For large organizations: leave knows the department of its employee, so that absences of a department are read in their order, and
 * the org chart counts reports from an index alone.
 */
export class HrLargeLists1764400000040 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX hr_employees_reports_idx ON hr_employees (manager_id, project_id) WHERE manager_id IS NOT NULL AND status <> 'left'`,
    );
    await queryRunner.query('ALTER TABLE hr_leave_requests ADD COLUMN department_id uuid');
    await queryRunner.query(
      'UPDATE hr_leave_requests r SET department_id = e.department_id FROM hr_employees e WHERE e.id = r.employee_id',
    );
    await queryRunner.query(
      `CREATE INDEX hr_leave_requests_department_id_idx ON hr_leave_requests (department_id, ends_on, id, starts_on)
       WHERE status = 'approved' AND department_id IS NOT NULL`,
    );
    await queryRunner.query(`
      CREATE FUNCTION hr_place_request() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.department_id := (SELECT department_id FROM hr_employees WHERE id = NEW.employee_id);
        RETURN NEW;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER hr_leave_requests_place BEFORE INSERT ON hr_leave_requests FOR EACH ROW EXECUTE FUNCTION hr_place_request()`);
    await queryRunner.query(`
      CREATE FUNCTION hr_move_leave() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE hr_leave_requests SET department_id = NEW.department_id WHERE employee_id = NEW.id;
        RETURN NEW;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER hr_employees_move_leave AFTER UPDATE OF department_id ON hr_employees
      FOR EACH ROW WHEN (OLD.department_id IS DISTINCT FROM NEW.department_id) EXECUTE FUNCTION hr_move_leave()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER hr_employees_move_leave ON hr_employees');
    await queryRunner.query('DROP TRIGGER hr_leave_requests_place ON hr_leave_requests');
    await queryRunner.query('DROP FUNCTION hr_move_leave, hr_place_request');
    await queryRunner.query('ALTER TABLE hr_leave_requests DROP COLUMN department_id');
    await queryRunner.query('DROP INDEX hr_employees_reports_idx');
  }
}
