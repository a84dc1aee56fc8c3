import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = [
  ['document_types', 'draft'],
  ['document_type_versions', 'definition'],
  ['intake_forms', 'fields'],
] as const;

/**
 * Definitions keep the order in which their fields were written: `jsonb` sorts the keys of objects, `json` does not. The check
 * rejects what `jsonb` would, such as the character U+0000.
 */
export class DocumentsSchemaOrder1763760000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column] of COLUMNS)
      await queryRunner.query(
        `ALTER TABLE ${table} ALTER COLUMN ${column} TYPE json,
          ADD CONSTRAINT ${table}_${column}_check CHECK (${column}::jsonb IS NOT NULL)`,
      );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column] of COLUMNS)
      await queryRunner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_${column}_check, ALTER COLUMN ${column} TYPE jsonb`);
  }
}
