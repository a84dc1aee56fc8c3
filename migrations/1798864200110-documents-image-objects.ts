import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Pictures of documents are objects. `bytes` has those of rows from before, until they are moved; the version after
 * the next one drops it.
 */
export class DocumentsImageObjects1798864200110 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE document_images ALTER COLUMN bytes DROP NOT NULL, ADD COLUMN bytes_object_id uuid,
        ADD CONSTRAINT document_images_bytes_object_id_fkey FOREIGN KEY (organization_id, bytes_object_id)
          REFERENCES objects (organization_id, id) NOT VALID`);
    await queryRunner.query(`
      CREATE TRIGGER document_images_bytes_object_deleted AFTER DELETE ON document_images
      FOR EACH ROW WHEN (OLD.bytes_object_id IS NOT NULL) EXECUTE FUNCTION note_object_release('bytes_object_id')`);
    await queryRunner.query(`
      CREATE TRIGGER document_images_bytes_object_replaced AFTER UPDATE OF bytes_object_id ON document_images
      FOR EACH ROW WHEN (OLD.bytes_object_id IS NOT NULL AND OLD.bytes_object_id IS DISTINCT FROM NEW.bytes_object_id)
      EXECUTE FUNCTION note_object_release('bytes_object_id')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    // the trigger notes that the objects are released
    await queryRunner.query(`
      UPDATE document_images t SET bytes = o.bytes, bytes_object_id = NULL FROM objects o
      WHERE o.organization_id = t.organization_id AND o.id = t.bytes_object_id AND o.bytes IS NOT NULL`);
    await queryRunner.query(`
      DO $$ BEGIN
        IF EXISTS (SELECT FROM document_images WHERE bytes_object_id IS NOT NULL) THEN
          RAISE EXCEPTION 'Files of document_images are in the storage: run STORAGE_TARGET=database work-suite storage migrate';
        END IF;
      END $$`);
    await queryRunner.query('DROP TRIGGER document_images_bytes_object_replaced ON document_images');
    await queryRunner.query('DROP TRIGGER document_images_bytes_object_deleted ON document_images');
    await queryRunner.query('ALTER TABLE document_images DROP COLUMN bytes_object_id, ALTER COLUMN bytes SET NOT NULL');
  }
}
