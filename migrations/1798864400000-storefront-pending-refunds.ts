import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Refunds that the provider of payments is asked for. Outside of a transaction, so that nothing waits while the table is read. */
export class StorefrontPendingRefunds1798864400000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // may have been interrupted before
    await queryRunner.query('ALTER TABLE storefront_orders ADD COLUMN IF NOT EXISTS pending_refund jsonb');
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS storefront_orders_pending_refund_idx');
    await queryRunner.query(
      'CREATE INDEX CONCURRENTLY storefront_orders_pending_refund_idx ON storefront_orders (id) WHERE pending_refund IS NOT NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE storefront_orders DROP COLUMN pending_refund');
  }
}
