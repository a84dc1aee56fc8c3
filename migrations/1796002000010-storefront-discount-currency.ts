import type { MigrationInterface, QueryRunner } from 'typeorm';

const NO_CURRENCY = 'AND currency IS NULL';

/**
 * Discounts of every kind can have a currency, which their smallest subtotal needs. Existing ones get it where all channels of the project
 * have the same; the others keep comparing the subtotal in any currency until a member sets it.
 */
export class StorefrontDiscountCurrency1796002000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await replaceCheck(queryRunner, '');
    await queryRunner.query(`
      UPDATE storefront_discounts d SET currency = c.currency
      FROM (SELECT project_id, min(currency) AS currency FROM storefront_channels GROUP BY project_id HAVING count(DISTINCT currency) = 1) c
      WHERE c.project_id = d.project_id AND d.currency IS NULL AND d.min_subtotal_amount > 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE storefront_discounts SET currency = NULL WHERE kind <> 'fixed_amount'`);
    await replaceCheck(queryRunner, NO_CURRENCY);
  }
}

async function replaceCheck(queryRunner: QueryRunner, noCurrency: string): Promise<void> {
  await queryRunner.query('ALTER TABLE storefront_discounts DROP CONSTRAINT storefront_discounts_value_check');
  await queryRunner.query(`
      ALTER TABLE storefront_discounts ADD CONSTRAINT storefront_discounts_value_check CHECK (CASE kind
        WHEN 'percentage' THEN value > 0 AND value <= 100 AND value IS NOT NULL ${noCurrency}
        WHEN 'fixed_amount' THEN value > 0 AND value = trunc(value) AND value IS NOT NULL AND currency IS NOT NULL
        ELSE value IS NULL ${noCurrency} END)`);
}
