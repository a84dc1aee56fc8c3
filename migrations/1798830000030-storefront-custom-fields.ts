import type { MigrationInterface, QueryRunner } from 'typeorm';

export class StorefrontCustomFields1798830000030 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE storefront_products ADD COLUMN custom_fields jsonb NOT NULL DEFAULT '{}'
        CONSTRAINT storefront_products_custom_fields_check CHECK (jsonb_typeof(custom_fields) = 'object')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE storefront_products DROP COLUMN custom_fields');
  }
}
