import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The token of an invitee's link, encrypted, so that all mails have the same link. */
export class ScheduleInviteeLinks1763800000100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE schedule_invitees ADD COLUMN token_sealed text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE schedule_invitees DROP COLUMN token_sealed`);
  }
}
