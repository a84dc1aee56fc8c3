import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AccountPasswordResetRequests1763800000095 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE password_reset_requests (
        id uuid PRIMARY KEY,
        email text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        due_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`CREATE INDEX password_reset_requests_due_at_idx ON password_reset_requests (due_at)`);
    await queryRunner.query(`CREATE INDEX password_reset_requests_created_at_idx ON password_reset_requests (created_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE password_reset_requests`);
  }
}
