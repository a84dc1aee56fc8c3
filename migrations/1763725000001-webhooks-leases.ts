import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Leases mark deliveries in flight; the status cannot, as a disabled endpoint's deliveries fail while an attempt still runs. */
export class WebhooksLeases1763725000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX webhook_deliveries_leased_idx ON webhook_deliveries (endpoint_id, leased_until) WHERE leased_until IS NOT NULL`,
    );
    await queryRunner.query(`DROP INDEX webhook_deliveries_sending_idx`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX webhook_deliveries_sending_idx ON webhook_deliveries (endpoint_id, leased_until) WHERE status = 'sending'`,
    );
    await queryRunner.query(`DROP INDEX webhook_deliveries_leased_idx`);
  }
}
