import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Refused calls that no limit bounds are counted in one row, see RefusedCalls. */
export class RequestLogCountedCalls1796007000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE request_logs ADD COLUMN calls integer NOT NULL DEFAULT 1`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE request_logs DROP COLUMN calls`);
  }
}
