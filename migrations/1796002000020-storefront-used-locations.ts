import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A location that a channel sells from, or from which something was shipped, cannot be deleted. */
export class StorefrontUsedLocations1796002000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION keep_used_stock_location() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM storefront_channels c WHERE c.organization_id = OLD.organization_id AND c.location_ids @> ARRAY[OLD.id])
           OR EXISTS (SELECT FROM storefront_fulfillments f WHERE f.organization_id = OLD.organization_id AND f.location_id = OLD.id) THEN
          RAISE EXCEPTION 'used by the storefront' USING ERRCODE = 'foreign_key_violation',
            DETAIL = 'It is still referenced from the storefront.';
        END IF;
        RETURN OLD;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER stock_locations_keep_used BEFORE DELETE ON stock_locations FOR EACH ROW EXECUTE FUNCTION keep_used_stock_location()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER stock_locations_keep_used ON stock_locations');
    await queryRunner.query('DROP FUNCTION keep_used_stock_location');
  }
}
