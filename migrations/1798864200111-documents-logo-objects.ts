import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Logos are objects. `logo` has those of rows from before, until they are moved; the version after the next one drops it. */
export class DocumentsLogoObjects1798864200111 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE document_settings ADD COLUMN logo_object_id uuid,
        ADD CONSTRAINT document_settings_logo_object_id_fkey FOREIGN KEY (organization_id, logo_object_id)
          REFERENCES objects (organization_id, id) NOT VALID`);
    await queryRunner.query(`
      CREATE TRIGGER document_settings_logo_object_deleted AFTER DELETE ON document_settings
      FOR EACH ROW WHEN (OLD.logo_object_id IS NOT NULL) EXECUTE FUNCTION note_object_release('logo_object_id')`);
    await queryRunner.query(`
      CREATE TRIGGER document_settings_logo_object_replaced AFTER UPDATE OF logo_object_id ON document_settings
      FOR EACH ROW WHEN (OLD.logo_object_id IS NOT NULL AND OLD.logo_object_id IS DISTINCT FROM NEW.logo_object_id)
      EXECUTE FUNCTION note_object_release('logo_object_id')`);
    await queryRunner.query(whole('logo IS NULL AND logo_object_id IS NULL'));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    // the trigger notes that the objects are released
    await queryRunner.query(`
      UPDATE document_settings t SET logo = o.bytes, logo_object_id = NULL FROM objects o
      WHERE o.organization_id = t.organization_id AND o.id = t.logo_object_id AND o.bytes IS NOT NULL`);
    await queryRunner.query(`
      DO $$ BEGIN
        IF EXISTS (SELECT FROM document_settings WHERE logo_object_id IS NOT NULL) THEN
          RAISE EXCEPTION 'Files of document_settings are in the storage: run STORAGE_TARGET=database work-suite storage migrate';
        END IF;
      END $$`);
    await queryRunner.query('DROP TRIGGER document_settings_logo_object_replaced ON document_settings');
    await queryRunner.query('DROP TRIGGER document_settings_logo_object_deleted ON document_settings');
    await queryRunner.query(whole('logo IS NULL'));
    await queryRunner.query('ALTER TABLE document_settings DROP COLUMN logo_object_id');
  }
}

/** A logo has its type and its hash. */
function whole(hasNone: string): string {
  return `
    ALTER TABLE document_settings DROP CONSTRAINT document_settings_logo_whole_check,
      ADD CONSTRAINT document_settings_logo_whole_check
        CHECK ((${hasNone}) = (logo_type IS NULL) AND (${hasNone}) = (logo_sha256 IS NULL))`;
}
