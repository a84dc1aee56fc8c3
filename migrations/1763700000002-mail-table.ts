import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Queued and stored mails, and the permission to read them for roles that can read webhooks. */
export class MailTable1763700000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE mails (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL CONSTRAINT mails_organization_fkey REFERENCES organizations (id),
        project_id uuid,
        mode text NOT NULL CONSTRAINT mails_mode_check CHECK (mode IN ('live', 'test')),
        recipient text NOT NULL,
        subject text NOT NULL,
        text text NOT NULL,
        html text,
        calendar_method text,
        calendar text,
        status text NOT NULL CONSTRAINT mails_status_check CHECK (status IN ('queued', 'sent', 'failed', 'held', 'suppressed')),
        tries smallint NOT NULL DEFAULT 0,
        due_at timestamptz(3) NOT NULL DEFAULT now(),
        leased_until timestamptz(3),
        error text,
        sent_at timestamptz(3),
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`CREATE INDEX mails_created_at_idx ON mails (organization_id, created_at, id)`);
    await queryRunner.query(`CREATE INDEX mails_due_idx ON mails (due_at) WHERE status = 'queued'`);
    await queryRunner.query(
      `UPDATE roles SET permissions = array_append(permissions, 'org.developer.mail.view')
        WHERE 'org.developer.webhooks.manage' = ANY(permissions)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE roles SET permissions = array_remove(permissions, 'org.developer.mail.view')`);
    await queryRunner.query(`DROP TABLE mails`);
  }
}
