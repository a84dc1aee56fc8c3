import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether the mail server has accepted a party's signature request. */
export class DocumentsInvitations1763740000081 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE signature_parties ADD COLUMN invitation text
        CONSTRAINT signature_parties_invitation_check CHECK (invitation IN ('sending', 'accepted', 'failed'))`);
    await queryRunner.query(`UPDATE signature_parties SET invitation = 'sending' WHERE mail_id IS NOT NULL`);
    await queryRunner.query(`CREATE INDEX signature_parties_sending_idx ON signature_parties (mail_id) WHERE invitation = 'sending'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE signature_parties DROP COLUMN invitation`);
  }
}
