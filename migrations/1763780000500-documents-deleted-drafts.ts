import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Drafts can be deleted; their audit trail stays. */
export class DocumentsDeletedDrafts1763780000500 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE document_audit_entries DROP CONSTRAINT document_audit_entries_document_id_fkey`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE document_audit_entries DISABLE TRIGGER USER`);
    await queryRunner.query(
      `DELETE FROM document_audit_entries a
       WHERE document_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.id = a.document_id)`,
    );
    await queryRunner.query(`ALTER TABLE document_audit_entries ENABLE TRIGGER USER`);
    await queryRunner.query(`
      ALTER TABLE document_audit_entries ADD CONSTRAINT document_audit_entries_document_id_fkey
        FOREIGN KEY (organization_id, project_id, mode, document_id)
        REFERENCES documents (organization_id, project_id, mode, id) ON DELETE CASCADE`);
  }
}
