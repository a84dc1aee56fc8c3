import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AccountPasswordResets1763800000071 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE password_resets (
        token_hash text PRIMARY KEY,
        organization_id uuid NOT NULL,
        member_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT password_resets_member_fkey FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id)
      )`);
    await queryRunner.query(`CREATE INDEX password_resets_member_id_idx ON password_resets (member_id)`);
    await queryRunner.query(`CREATE INDEX password_resets_expires_at_idx ON password_resets (expires_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE password_resets`);
  }
}
