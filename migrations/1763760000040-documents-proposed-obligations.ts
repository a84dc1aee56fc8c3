import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Obligations that an analysis found are proposals until a member confirms them. */
export class DocumentsProposedObligations1763760000040 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await allow(queryRunner, ['proposed', 'pending', 'completed', 'waived', 'cancelled']);
  }

  /** Deletes proposals, because the previous schema has no status for them. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM obligations WHERE status = 'proposed'`);
    await allow(queryRunner, ['pending', 'completed', 'waived', 'cancelled']);
  }
}

async function allow(queryRunner: QueryRunner, statuses: readonly string[]): Promise<void> {
  const list = statuses.map((status) => `'${status}'`).join(', ');
  await queryRunner.query(
    `ALTER TABLE obligations DROP CONSTRAINT obligations_status_check,
      ADD CONSTRAINT obligations_status_check CHECK (status IN (${list}))`,
  );
}
