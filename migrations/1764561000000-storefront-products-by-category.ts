import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'storefront_product_categories';
const keepUsed = (category: string) => `
    CREATE OR REPLACE FUNCTION keep_used_storefront_reference() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM storefront_products p WHERE p.organization_id = OLD.organization_id
        AND (${category}p.channel_ids @> ARRAY[OLD.id])) THEN
        RAISE EXCEPTION 'used by products' USING ERRCODE = 'foreign_key_violation', DETAIL = 'It is still referenced from products.';
      END IF;
      RETURN OLD;
    END $$`;

/**
 * The products of a category, in the orders of list_products. An index on the array of a product's categories finds them, but unordered:
 * each page sorted all products of the category.
 */
export class StorefrontProductsByCategory1764561000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE ${TABLE} (
        category_id uuid NOT NULL,
        product_id uuid NOT NULL CONSTRAINT ${TABLE}_product_id_fkey REFERENCES storefront_products ON DELETE CASCADE,
        mode text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        title text NOT NULL,
        CONSTRAINT ${TABLE}_pkey PRIMARY KEY (category_id, product_id)
      )`);
    await queryRunner.query(`
      INSERT INTO ${TABLE} SELECT DISTINCT c.id, p.id, p.mode, p.created_at, p.title
      FROM storefront_products p, unnest(p.category_ids) AS c (id)`);
    for (const column of ['created_at', 'title'])
      await queryRunner.query(`CREATE INDEX ${TABLE}_${column}_idx ON ${TABLE} (category_id, mode, ${column}, product_id)`);
    await queryRunner.query(`CREATE INDEX ${TABLE}_product_id_idx ON ${TABLE} (product_id)`);
    await queryRunner.query(`
      CREATE FUNCTION set_storefront_product_categories() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          DELETE FROM ${TABLE} WHERE product_id = NEW.id;
        END IF;
        INSERT INTO ${TABLE} SELECT DISTINCT c.id, NEW.id, NEW.mode, NEW.created_at, NEW.title FROM unnest(NEW.category_ids) AS c (id);
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER storefront_products_set_categories AFTER INSERT ON storefront_products
      FOR EACH ROW WHEN (NEW.category_ids <> '{}') EXECUTE FUNCTION set_storefront_product_categories()`);
    await queryRunner.query(`
      CREATE TRIGGER storefront_products_change_categories AFTER UPDATE OF category_ids, title ON storefront_products
      FOR EACH ROW WHEN ((OLD.category_ids, OLD.title) IS DISTINCT FROM (NEW.category_ids, NEW.title))
      EXECUTE FUNCTION set_storefront_product_categories()`);
    await queryRunner.query('DROP INDEX storefront_products_category_ids_idx');
    await queryRunner.query(keepUsed(`EXISTS (SELECT FROM ${TABLE} c WHERE c.category_id = OLD.id) OR `));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(keepUsed(`p.category_ids @> ARRAY[OLD.id] AND p.category_ids <> '{}' OR `));
    await queryRunner.query(
      `CREATE INDEX storefront_products_category_ids_idx ON storefront_products USING gin (category_ids) WHERE category_ids <> '{}'`,
    );
    await queryRunner.query('DROP TRIGGER storefront_products_set_categories ON storefront_products');
    await queryRunner.query('DROP TRIGGER storefront_products_change_categories ON storefront_products');
    await queryRunner.query('DROP FUNCTION set_storefront_product_categories');
    await queryRunner.query(`DROP TABLE ${TABLE}`);
  }
}
