import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Different mails with one Message-ID are each kept and read. Mails from before have no fingerprint. */
export class DeskInboundMailFingerprints1797300000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE desk_inbound_mails ADD COLUMN fingerprint text`);
    await queryRunner.query(`DROP INDEX desk_inbound_mails_message_id_key`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX desk_inbound_mails_fingerprint_key ON desk_inbound_mails (mailbox_id, message_id, fingerprint)
      WHERE status IN ('received', 'processed')`);
  }

  /** Of the mails with one Message-ID, the first keeps it. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      UPDATE desk_inbound_mails m SET message_id = NULL
      WHERE m.status IN ('received', 'processed') AND EXISTS (
        SELECT FROM desk_inbound_mails other
        WHERE other.mailbox_id = m.mailbox_id AND other.message_id = m.message_id AND other.status IN ('received', 'processed')
          AND other.id < m.id)`);
    await queryRunner.query(`DROP INDEX desk_inbound_mails_fingerprint_key`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX desk_inbound_mails_message_id_key ON desk_inbound_mails (mailbox_id, message_id)
      WHERE status IN ('received', 'processed')`);
    await queryRunner.query(`ALTER TABLE desk_inbound_mails DROP COLUMN fingerprint`);
  }
}
