import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A member's e-mail address is unique within its organization. Before, it was unique over all organizations, so that adding a
 * member revealed whether the address belonged to another organization. Sign-in uses the index on the address alone.
 */
export class PeopleMemberEmailPerOrganization1763770000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE members DROP CONSTRAINT members_email_key`);
    await queryRunner.query(`ALTER TABLE members ADD CONSTRAINT members_email_key UNIQUE (organization_id, email)`);
    await queryRunner.query(`CREATE INDEX members_email_idx ON members (email)`);
  }

  /** Fails if a person has become a member of several organizations: none of the memberships may be dropped. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX members_email_idx`);
    await queryRunner.query(`ALTER TABLE members DROP CONSTRAINT members_email_key`);
    await queryRunner.query(`ALTER TABLE members ADD CONSTRAINT members_email_key UNIQUE (email)`);
  }
}
