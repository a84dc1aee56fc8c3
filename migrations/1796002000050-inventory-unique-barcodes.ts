import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A barcode belongs to one item of a project. Existing repeats keep theirs until it is changed. */
export class InventoryUniqueBarcodes1796002000050 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE inventory_items ADD COLUMN barcode_repeats boolean NOT NULL DEFAULT false');
    await queryRunner.query(`
      UPDATE inventory_items i SET barcode_repeats = true WHERE EXISTS (
        SELECT 1 FROM inventory_items o WHERE o.project_id = i.project_id AND o.mode = i.mode AND o.barcode = i.barcode AND o.id < i.id)`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX inventory_items_barcode_key ON inventory_items (project_id, mode, barcode)
        WHERE barcode IS NOT NULL AND NOT barcode_repeats`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX inventory_items_barcode_key');
    await queryRunner.query('ALTER TABLE inventory_items DROP COLUMN barcode_repeats');
  }
}
