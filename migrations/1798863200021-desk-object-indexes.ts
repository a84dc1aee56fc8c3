import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Outside of a transaction, so that nothing waits while the table is read. */
export class DeskObjectIndexes1798863200021 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const index = 'desk_attachments_content_object_id_idx';
    // an invalid one is left behind if it was interrupted
    await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
    await queryRunner.query(
      `CREATE INDEX CONCURRENTLY ${index} ON desk_attachments (content_object_id) WHERE content_object_id IS NOT NULL`,
    );
    await queryRunner.query('ALTER TABLE desk_attachments VALIDATE CONSTRAINT desk_attachments_content_object_id_fkey');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX desk_attachments_content_object_id_idx');
    await queryRunner.query(`
      ALTER TABLE desk_attachments DROP CONSTRAINT desk_attachments_content_object_id_fkey,
        ADD CONSTRAINT desk_attachments_content_object_id_fkey FOREIGN KEY (organization_id, content_object_id)
          REFERENCES objects (organization_id, id) NOT VALID`);
  }
}
