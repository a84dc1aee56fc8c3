import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The files of deleted rows: an object is kept as long as a row that refers to it can be restored. */
export class PlatformDeletedObjects1798863601000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE deleted_objects (
        deleted_record_id uuid NOT NULL CONSTRAINT deleted_objects_deleted_record_id_fkey REFERENCES deleted_records (id) ON DELETE CASCADE,
        organization_id uuid NOT NULL,
        object_id uuid NOT NULL,
        PRIMARY KEY (deleted_record_id, object_id),
        CONSTRAINT deleted_objects_object_id_fkey FOREIGN KEY (organization_id, object_id) REFERENCES objects (organization_id, id)
      )`);
    await queryRunner.query('CREATE INDEX deleted_objects_object_id_idx ON deleted_objects (object_id)');
    await queryRunner.query(`
      CREATE TRIGGER deleted_objects_object_deleted AFTER DELETE ON deleted_objects
      FOR EACH ROW EXECUTE FUNCTION note_object_release('object_id')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE deleted_objects');
  }
}
