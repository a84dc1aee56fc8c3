import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for document lists of one project and for lists of pending decisions with selective filters. */
export class DocumentsListIndexes1763740000080 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX documents_project_state_idx ON documents (organization_id, mode, project_id, state, created_at, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX documents_project_type_code_idx ON documents (organization_id, mode, project_id, type_code, created_at, id)`,
    );
    await queryRunner.query(`DROP INDEX approval_requests_pending_idx`);
    await queryRunner.query(
      `CREATE INDEX approval_requests_pending_idx ON approval_requests (organization_id, mode, created_at, id) WHERE decision = 'pending'`,
    );
    await queryRunner.query(
      `CREATE INDEX approval_requests_pending_project_idx
        ON approval_requests (organization_id, mode, project_id, created_at, id) WHERE decision = 'pending'`,
    );
    await queryRunner.query(
      `CREATE INDEX approval_requests_pending_type_code_idx
        ON approval_requests (organization_id, mode, type_code, created_at, id) WHERE decision = 'pending'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `DROP INDEX approval_requests_pending_type_code_idx, approval_requests_pending_project_idx, approval_requests_pending_idx`,
    );
    await queryRunner.query(
      `CREATE INDEX approval_requests_pending_idx
        ON approval_requests (organization_id, mode, created_at, id, project_id) WHERE decision = 'pending'`,
    );
    await queryRunner.query(`DROP INDEX documents_project_type_code_idx, documents_project_state_idx`);
  }
}
