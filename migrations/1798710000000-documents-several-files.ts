import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Documents that consist of several files, each frozen and sealed on its own, with one certificate of the signatures. */
export class DocumentsSeveralFiles1798710000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE documents ADD COLUMN files jsonb NOT NULL DEFAULT '[]'`);
    await queryRunner.query('ALTER TABLE document_files ADD COLUMN is_main boolean NOT NULL DEFAULT true');
    await queryRunner.query('ALTER TABLE document_files DROP CONSTRAINT document_files_document_id_key');
    await queryRunner.query('CREATE UNIQUE INDEX document_files_main_key ON document_files (document_id) WHERE is_main');
    await queryRunner.query('CREATE INDEX document_files_document_id_idx ON document_files (document_id)');
    await queryRunner.query(`
      ALTER TABLE document_renditions
        ADD COLUMN position integer NOT NULL DEFAULT 1,
        ADD COLUMN file_id uuid,
        ADD COLUMN name text,
        DROP CONSTRAINT document_renditions_kind_key,
        ADD CONSTRAINT document_renditions_kind_key UNIQUE (document_id, revision, kind, position),
        DROP CONSTRAINT document_renditions_kind_check,
        ADD CONSTRAINT document_renditions_kind_check CHECK (kind IN ('final', 'executed', 'certificate'))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    // fails while documents have several files, as frozen files are never deleted
    await queryRunner.query(`
      ALTER TABLE document_renditions
        DROP CONSTRAINT document_renditions_kind_check,
        ADD CONSTRAINT document_renditions_kind_check CHECK (kind IN ('final', 'executed')),
        DROP CONSTRAINT document_renditions_kind_key,
        ADD CONSTRAINT document_renditions_kind_key UNIQUE (document_id, revision, kind),
        DROP COLUMN position,
        DROP COLUMN file_id,
        DROP COLUMN name`);
    await queryRunner.query('DROP INDEX document_files_document_id_idx');
    await queryRunner.query('DROP INDEX document_files_main_key');
    await queryRunner.query('ALTER TABLE document_files ADD CONSTRAINT document_files_document_id_key UNIQUE (document_id)');
    await queryRunner.query('ALTER TABLE document_files DROP COLUMN is_main');
    await queryRunner.query('ALTER TABLE documents DROP COLUMN files');
  }
}
