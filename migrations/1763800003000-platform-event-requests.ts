import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events are found by the call that caused them. */
export class PlatformEventRequests1763800003000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE outbox_events ADD COLUMN request_id text`);
    await queryRunner.query(`UPDATE outbox_events SET request_id = body::json #>> '{request,id}'`);
    await queryRunner.query(`CREATE INDEX outbox_events_request_id_idx ON outbox_events (request_id) WHERE request_id IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE outbox_events DROP COLUMN request_id`);
  }
}
