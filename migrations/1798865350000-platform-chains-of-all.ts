import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each organization has a chain, also one that is older than the log and was never changed since: then one without a chain is one whose
 * log was deleted. The log of the installation has the id 0.
 */
export class PlatformChainsOfAll1798865350000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('INSERT INTO audit_chains (organization_id) SELECT id FROM organizations ON CONFLICT DO NOTHING');
    await queryRunner.query(
      `INSERT INTO audit_chains (organization_id) VALUES ('00000000-0000-0000-0000-000000000000') ON CONFLICT DO NOTHING`,
    );
  }

  /** Chains without entries hurt no version. */
  async down(): Promise<void> {}
}
