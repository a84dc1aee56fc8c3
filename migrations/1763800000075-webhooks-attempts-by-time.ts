import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Attempts are counted by time. They are inserted in the order of time, so a BRIN index suffices, which costs inserts almost nothing. */
export class WebhooksAttemptsByTime1763800000075 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX webhook_attempts_started_at_idx ON webhook_attempts USING brin (started_at) WITH (pages_per_range = 16)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX webhook_attempts_started_at_idx`);
  }
}
