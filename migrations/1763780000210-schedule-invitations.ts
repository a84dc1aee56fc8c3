import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of an invitee's latest invitation, and how many mails an organization sent on a day. */
export class ScheduleInvitations1763780000210 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE schedule_invitees
         ADD COLUMN invitation_status text NOT NULL DEFAULT 'queued'
           CONSTRAINT schedule_invitees_invitation_status_check CHECK (invitation_status IN ('queued', 'sent', 'failed', 'suppressed')),
         ADD COLUMN invitation_sent_at timestamptz(3),
         ADD COLUMN invitation_error text`,
    );
    await queryRunner.query(`CREATE INDEX schedule_invitees_queued_idx ON schedule_invitees (mail_id) WHERE invitation_status = 'queued'`);
    await queryRunner.query(
      `CREATE TABLE schedule_invitation_counts (
         id uuid PRIMARY KEY,
         organization_id uuid NOT NULL CONSTRAINT schedule_invitation_counts_organization_id_fkey REFERENCES organizations (id),
         day date NOT NULL,
         count integer NOT NULL,
         version integer NOT NULL DEFAULT 1,
         created_at timestamptz(3) NOT NULL DEFAULT now(),
         updated_at timestamptz(3) NOT NULL DEFAULT now(),
         CONSTRAINT schedule_invitation_counts_day_key UNIQUE (organization_id, day)
       )`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE schedule_invitation_counts');
    await queryRunner.query('DROP INDEX schedule_invitees_queued_idx');
    await queryRunner.query(
      `ALTER TABLE schedule_invitees DROP COLUMN invitation_status, DROP COLUMN invitation_sent_at, DROP COLUMN invitation_error`,
    );
  }
}
