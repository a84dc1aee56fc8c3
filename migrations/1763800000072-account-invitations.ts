import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AccountInvitations1763800000072 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE member_invitations (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL CONSTRAINT member_invitations_organization_fkey REFERENCES organizations (id),
        email text NOT NULL CONSTRAINT member_invitations_email_check CHECK (email = lower(email)),
        name text NOT NULL,
        role_id uuid NOT NULL,
        manager_id uuid,
        invited_by uuid,
        token_hash text NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT member_invitations_email_key UNIQUE (organization_id, email),
        CONSTRAINT member_invitations_token_hash_key UNIQUE (token_hash),
        CONSTRAINT member_invitations_role_fkey FOREIGN KEY (organization_id, role_id) REFERENCES roles (organization_id, id),
        CONSTRAINT member_invitations_manager_fkey FOREIGN KEY (organization_id, manager_id) REFERENCES members (organization_id, id),
        CONSTRAINT member_invitations_invited_by_fkey FOREIGN KEY (organization_id, invited_by) REFERENCES members (organization_id, id)
      )`);
    await queryRunner.query(`CREATE INDEX member_invitations_created_at_idx ON member_invitations (organization_id, created_at, id)`);
    await queryRunner.query(`CREATE INDEX member_invitations_expires_at_idx ON member_invitations (expires_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE member_invitations`);
  }
}
