import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of each mail of a ticket, the quoted part of each mail that came, and how often a person was sent a number lately. */
export class DeskMailStates1764350000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE desk_outbound_mails
        ADD COLUMN status text NOT NULL DEFAULT 'queued' CONSTRAINT desk_outbound_mails_status_check
          CHECK (status IN ('queued', 'sent', 'failed', 'held', 'suppressed')),
        ADD COLUMN error text`);
    await queryRunner.query(`ALTER TABLE desk_outbound_mails ALTER COLUMN status DROP DEFAULT`);
    await queryRunner.query(`CREATE INDEX desk_outbound_mails_queued_idx ON desk_outbound_mails (mail_id) WHERE status = 'queued'`);
    await queryRunner.query(
      `CREATE INDEX desk_outbound_mails_message_idx ON desk_outbound_mails (ticket_message_id, id) WHERE ticket_message_id IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX desk_outbound_mails_recipient_idx ON desk_outbound_mails (organization_id, mode, recipient, created_at)
       WHERE kind = 'acknowledgement'`,
    );
    await queryRunner.query(`ALTER TABLE desk_inbound_mails ADD COLUMN quoted_text text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE desk_inbound_mails DROP COLUMN quoted_text`);
    await queryRunner.query(
      `DROP INDEX desk_outbound_mails_queued_idx, desk_outbound_mails_message_idx, desk_outbound_mails_recipient_idx`,
    );
    await queryRunner.query(`ALTER TABLE desk_outbound_mails DROP COLUMN status, DROP COLUMN error`);
  }
}
