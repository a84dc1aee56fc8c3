import type { MigrationInterface, QueryRunner } from 'typeorm';

const FOLLOWERS = [
  ['desk_outbound_mails', 'status', `IN ('queued', 'failed', 'held')`],
  ['schedule_invitees', 'invitation_status', `IN ('queued', 'failed')`],
] as const;

/**
 * Tells which mails were sent again, so that those who follow a mail look at what is on its way and at these, not at everything that ever
 * failed.
 */
export class MailResent1797100000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE mails ADD COLUMN resent boolean NOT NULL DEFAULT false`);
    // one that is on its way may be on its way again
    await queryRunner.query(`UPDATE mails SET resent = true WHERE status = 'queued'`);
    await queryRunner.query(`CREATE INDEX mails_resent_idx ON mails (updated_at) WHERE resent`);
    for (const [table, column] of FOLLOWERS) await follow(queryRunner, table, `${column} = 'queued'`);
    await queryRunner.query(`CREATE INDEX schedule_invitees_failed_idx ON schedule_invitees (mail_id) WHERE invitation_status = 'failed'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX schedule_invitees_failed_idx');
    for (const [table, column, statuses] of FOLLOWERS) await follow(queryRunner, table, `${column} ${statuses}`);
    await queryRunner.query('ALTER TABLE mails DROP COLUMN resent');
  }
}

async function follow(queryRunner: QueryRunner, table: string, where: string): Promise<void> {
  await queryRunner.query(`DROP INDEX ${table}_queued_idx`);
  await queryRunner.query(`CREATE INDEX ${table}_queued_idx ON ${table} (mail_id) WHERE ${where}`);
}
