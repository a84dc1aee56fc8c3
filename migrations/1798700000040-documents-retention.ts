import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Erases the contents of documents some time after their end, if their type says so. Hashes stay, and so does the audit trail. */
export class DocumentsRetention1798700000040 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE documents
        ADD COLUMN ended_at timestamptz(3),
        ADD COLUMN erased_at timestamptz(3),
        ADD COLUMN legal_hold text`);
    await queryRunner.query(`
      UPDATE documents SET ended_at = CASE WHEN state = 'executed' THEN executed_at ELSE updated_at END
      WHERE state IN ('declined', 'expired', 'revoked', 'superseded', 'rejected') OR state = 'executed' AND valid_until_on IS NULL`);
    await queryRunner.query(`CREATE INDEX documents_ended_at_idx ON documents (ended_at) WHERE erased_at IS NULL AND ended_at IS NOT NULL`);
    await queryRunner.query(`
      CREATE FUNCTION keep_document_renditions() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        erased document_renditions := OLD;
      BEGIN
        erased.pdf := '';
        erased.html := '';
        erased.fields := '[]';
        erased.version := NEW.version;
        erased.updated_at := NEW.updated_at;
        IF NEW IS DISTINCT FROM erased OR NOT EXISTS (SELECT FROM documents WHERE id = OLD.document_id AND erased_at IS NOT NULL) THEN
          RAISE EXCEPTION 'document_renditions is append-only';
        END IF;
        RETURN NEW;
      END $$`);
    await queryRunner.query(`DROP TRIGGER document_renditions_keep_values ON document_renditions`);
    await queryRunner.query(
      `CREATE TRIGGER document_renditions_keep_values BEFORE UPDATE ON document_renditions FOR EACH ROW
        EXECUTE FUNCTION keep_document_renditions()`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER document_renditions_keep_values ON document_renditions`);
    await queryRunner.query(
      `CREATE TRIGGER document_renditions_keep_values BEFORE UPDATE ON document_renditions FOR EACH ROW
        EXECUTE FUNCTION keep_document_rows()`,
    );
    await queryRunner.query(`DROP FUNCTION keep_document_renditions()`);
    await queryRunner.query(`ALTER TABLE documents DROP COLUMN ended_at, DROP COLUMN erased_at, DROP COLUMN legal_hold`);
  }
}
