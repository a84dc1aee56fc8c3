import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PeopleSecondFactor1763800000073 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE organizations ADD COLUMN requires_second_factor boolean NOT NULL DEFAULT false`);
    await queryRunner.query(`
      ALTER TABLE members
        ADD COLUMN second_factor_at timestamptz(3),
        ADD COLUMN last_sign_in_at timestamptz(3)`);
    await queryRunner.query(`
      CREATE TABLE second_factors (
        member_id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        secret bytea NOT NULL,
        last_step bigint NOT NULL DEFAULT 0,
        recovery_hashes bytea[] NOT NULL DEFAULT '{}',
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT second_factors_member_fkey FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE second_factors`);
    await queryRunner.query(`ALTER TABLE members DROP COLUMN second_factor_at, DROP COLUMN last_sign_in_at`);
    await queryRunner.query(`ALTER TABLE organizations DROP COLUMN requires_second_factor`);
  }
}
