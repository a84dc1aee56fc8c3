import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For failed invitations whose mail was sent again. */
export class DocumentsFailedInvitations1797400000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX signature_parties_failed_idx ON signature_parties (mail_id) WHERE invitation = 'failed'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX signature_parties_failed_idx');
  }
}
