import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Mails that became no ticket are kept as they were received, and who sent them is shown. A Message-ID is taken only by a mail that became
 * one, or is about to.
 */
export class DeskKeptMails1796003000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE desk_mailboxes
        ADD COLUMN keep_raw_days integer NOT NULL DEFAULT 90
          CONSTRAINT desk_mailboxes_keep_raw_days_check CHECK (keep_raw_days BETWEEN 1 AND 365),
        ADD COLUMN authentication_server text
          CONSTRAINT desk_mailboxes_authentication_server_check CHECK (length(authentication_server) BETWEEN 1 AND 253)`);
    await queryRunner.query(`
      ALTER TABLE desk_inbound_mails
        ADD COLUMN from_email text,
        ADD COLUMN from_name text,
        ADD COLUMN subject text,
        ADD COLUMN raw_until_at timestamptz(3)`);
    await queryRunner.query(`
      UPDATE desk_inbound_mails SET raw_until_at = now() + interval '90 days' WHERE status = 'failed' AND content IS NOT NULL`);
    await queryRunner.query(`ALTER TABLE desk_inbound_mails DROP CONSTRAINT desk_inbound_mails_message_id_key`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX desk_inbound_mails_message_id_key ON desk_inbound_mails (mailbox_id, message_id)
      WHERE status IN ('received', 'processed')`);
    await queryRunner.query(`
      CREATE INDEX desk_inbound_mails_kept_message_id_idx ON desk_inbound_mails (mailbox_id, message_id)
      WHERE status IN ('filed', 'failed')`);
    await queryRunner.query(`
      CREATE INDEX desk_inbound_mails_raw_until_at_idx ON desk_inbound_mails (raw_until_at) WHERE raw_until_at IS NOT NULL`);
    await queryRunner.query(`
      CREATE INDEX desk_inbound_mails_mailbox_id_idx ON desk_inbound_mails (mailbox_id, mode, created_at, id)`);
  }

  /** A Message-ID that was received more than once keeps its first row. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX desk_inbound_mails_message_id_key, desk_inbound_mails_kept_message_id_idx, desk_inbound_mails_raw_until_at_idx,
        desk_inbound_mails_mailbox_id_idx`);
    await queryRunner.query(`
      DELETE FROM desk_inbound_mails m USING desk_inbound_mails other
      WHERE other.mailbox_id = m.mailbox_id AND other.message_id = m.message_id
        AND (other.status = 'processed', m.id) > (m.status = 'processed', other.id)`);
    await queryRunner.query(`
      ALTER TABLE desk_inbound_mails ADD CONSTRAINT desk_inbound_mails_message_id_key UNIQUE (mailbox_id, message_id)`);
    await queryRunner.query(`
      ALTER TABLE desk_inbound_mails DROP COLUMN from_email, DROP COLUMN from_name, DROP COLUMN subject, DROP COLUMN raw_until_at`);
    await queryRunner.query(`ALTER TABLE desk_mailboxes DROP COLUMN keep_raw_days, DROP COLUMN authentication_server`);
  }
}
