import type { MigrationInterface, QueryRunner } from 'typeorm';

const FOLLOWERS = [
  ['desk_outbound_mails', 'status', `IN ('queued', 'failed', 'held')`],
  ['schedule_invitees', 'invitation_status', `IN ('queued', 'failed')`],
] as const;

/** Mails are tried again until a time, not a number of times; failed ones tell whether a server refused them for good. */
export class MailRetries1796004000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE mails
        ADD COLUMN give_up_at timestamptz(3) NOT NULL DEFAULT now() + interval '5 days',
        ADD COLUMN refused boolean NOT NULL DEFAULT false`);
    for (const [table, column, statuses] of FOLLOWERS) await followAgain(queryRunner, table, `${column} ${statuses}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column] of FOLLOWERS) await followAgain(queryRunner, table, `${column} = 'queued'`);
    await queryRunner.query('ALTER TABLE mails DROP COLUMN give_up_at, DROP COLUMN refused');
  }
}

/** The rows whose mail may still be sent. */
async function followAgain(queryRunner: QueryRunner, table: string, where: string): Promise<void> {
  await queryRunner.query(`DROP INDEX ${table}_queued_idx`);
  await queryRunner.query(`CREATE INDEX ${table}_queued_idx ON ${table} (mail_id) WHERE ${where}`);
}
