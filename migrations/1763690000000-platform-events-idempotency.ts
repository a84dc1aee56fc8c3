import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Outbox, idempotency records and number series, which commit together with the business rows. */
export class PlatformEventsIdempotency1763690000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE SEQUENCE outbox_events_sequence`);
    await queryRunner.query(`
      CREATE TABLE outbox_events (
        id uuid PRIMARY KEY,
        sequence bigint NOT NULL DEFAULT nextval('outbox_events_sequence'),
        organization_id uuid NOT NULL,
        project_id uuid,
        mode text NOT NULL CONSTRAINT outbox_events_mode_check CHECK (mode IN ('live', 'test')),
        type text NOT NULL,
        internal boolean NOT NULL DEFAULT false,
        body text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX outbox_events_sequence_key ON outbox_events (sequence)`);
    await queryRunner.query(`
      CREATE TABLE idempotency_records (
        scope bytea PRIMARY KEY,
        fingerprint bytea NOT NULL,
        status smallint NOT NULL,
        body text,
        headers jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`CREATE INDEX idempotency_records_created_at ON idempotency_records (created_at)`);
    await queryRunner.query(`
      CREATE TABLE counters (
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT counters_mode_check CHECK (mode IN ('live', 'test')),
        series text NOT NULL,
        last integer NOT NULL,
        PRIMARY KEY (organization_id, project_id, mode, series)
      ) WITH (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE counters`);
    await queryRunner.query(`DROP TABLE idempotency_records`);
    await queryRunner.query(`DROP TABLE outbox_events`);
    await queryRunner.query(`DROP SEQUENCE outbox_events_sequence`);
  }
}
