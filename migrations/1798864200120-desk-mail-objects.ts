import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Mails as they were received are objects. `content` has those of rows from before, until they are moved; the version after
 * the next one drops it.
 */
export class DeskMailObjects1798864200120 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE desk_inbound_mails ADD COLUMN content_object_id uuid,
        ADD CONSTRAINT desk_inbound_mails_content_object_id_fkey FOREIGN KEY (organization_id, content_object_id)
          REFERENCES objects (organization_id, id) NOT VALID`);
    await queryRunner.query(`
      CREATE TRIGGER desk_inbound_mails_content_object_deleted AFTER DELETE ON desk_inbound_mails
      FOR EACH ROW WHEN (OLD.content_object_id IS NOT NULL) EXECUTE FUNCTION note_object_release('content_object_id')`);
    await queryRunner.query(`
      CREATE TRIGGER desk_inbound_mails_content_object_replaced AFTER UPDATE OF content_object_id ON desk_inbound_mails
      FOR EACH ROW WHEN (OLD.content_object_id IS NOT NULL AND OLD.content_object_id IS DISTINCT FROM NEW.content_object_id)
      EXECUTE FUNCTION note_object_release('content_object_id')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    // the trigger notes that the objects are released
    await queryRunner.query(`
      UPDATE desk_inbound_mails t SET content = o.bytes, content_object_id = NULL FROM objects o
      WHERE o.organization_id = t.organization_id AND o.id = t.content_object_id AND o.bytes IS NOT NULL`);
    await queryRunner.query(`
      DO $$ BEGIN
        IF EXISTS (SELECT FROM desk_inbound_mails WHERE content_object_id IS NOT NULL) THEN
          RAISE EXCEPTION 'Files of desk_inbound_mails are in the storage: run STORAGE_TARGET=database work-suite storage migrate';
        END IF;
      END $$`);
    await queryRunner.query('DROP TRIGGER desk_inbound_mails_content_object_replaced ON desk_inbound_mails');
    await queryRunner.query('DROP TRIGGER desk_inbound_mails_content_object_deleted ON desk_inbound_mails');
    await queryRunner.query('ALTER TABLE desk_inbound_mails DROP COLUMN content_object_id');
  }
}
