import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A worker is known by its connection, so that the others notice at once that it was killed. */
export class QueueWorkerConnections1796008000100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE workers ADD COLUMN backend_pid integer');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE workers DROP COLUMN backend_pid');
  }
}
