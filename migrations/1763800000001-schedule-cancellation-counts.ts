import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails about canceled dates have a limit of their own. */
export class ScheduleCancellationCounts1763800000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE schedule_invitation_counts ADD COLUMN cancellations integer NOT NULL DEFAULT 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE schedule_invitation_counts DROP COLUMN cancellations`);
  }
}
