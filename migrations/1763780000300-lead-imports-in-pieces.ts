import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Imports that are read piece by piece, continue at the byte where they stood, and are not repeated by mistake. */
export class LeadImportsInPieces1763780000300 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE lead_imports ADD COLUMN bytes_done integer NOT NULL DEFAULT 0, ADD COLUMN fingerprint text`);
    // uncompressed, so that a piece is read without the rest of the file
    await queryRunner.query(`ALTER TABLE lead_imports ALTER COLUMN content SET STORAGE EXTERNAL`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX lead_imports_fingerprint_key ON lead_imports (organization_id, mode, project_id, fingerprint)
         WHERE fingerprint IS NOT NULL`,
    );
    // the values by which rows repeat earlier ones, as hashes, while the import runs
    await queryRunner.query(`
      CREATE TABLE lead_import_keys (
        import_id uuid NOT NULL CONSTRAINT lead_import_keys_import_id_fkey REFERENCES lead_imports (id) ON DELETE CASCADE,
        key text NOT NULL,
        row_number integer NOT NULL,
        CONSTRAINT lead_import_keys_pkey PRIMARY KEY (import_id, key)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE lead_import_keys`);
    await queryRunner.query(`DROP INDEX lead_imports_fingerprint_key`);
    await queryRunner.query(`ALTER TABLE lead_imports ALTER COLUMN content SET STORAGE EXTENDED`);
    await queryRunner.query(`ALTER TABLE lead_imports DROP COLUMN fingerprint, DROP COLUMN bytes_done`);
  }
}
