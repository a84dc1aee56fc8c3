import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which events a subscription includes is decided in one place of the database: deliveries, streams and the list of events use it. */
export class PlatformWebhookSubscriptions1798861000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION webhook_subscribes(subscriptions text[], type text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
        SELECT type = ANY(subscriptions) OR split_part(type, '.', 1) || '.*' = ANY(subscriptions)
          OR '*' = ANY(subscriptions) AND type <> 'audit.recorded'
      $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION webhook_subscribes(text[], text)');
  }
}
