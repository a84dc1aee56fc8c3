import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Webhook endpoints, deliveries and their attempts. Deliveries and attempts have no foreign keys to endpoint and event: they
 * outlive both, and a foreign key would lock the endpoint's row whenever an event is written.
 */
export class WebhooksTables1763700000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE webhook_endpoints (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL CONSTRAINT webhook_endpoints_organization_fkey REFERENCES organizations (id),
        project_id uuid,
        mode text NOT NULL CONSTRAINT webhook_endpoints_mode_check CHECK (mode IN ('live', 'test')),
        url text NOT NULL,
        description text,
        events text[] NOT NULL CONSTRAINT webhook_endpoints_events_check CHECK (cardinality(events) > 0),
        status text NOT NULL DEFAULT 'enabled' CONSTRAINT webhook_endpoints_status_check CHECK (status IN ('enabled', 'disabled')),
        disabled_reason text CONSTRAINT webhook_endpoints_disabled_reason_check CHECK (disabled_reason IN ('manual', 'gone', 'failing')),
        disabled_at timestamptz(3),
        enabled_at timestamptz(3) NOT NULL,
        failing_since timestamptz(3),
        max_concurrency smallint NOT NULL CONSTRAINT webhook_endpoints_max_concurrency_check CHECK (max_concurrency BETWEEN 1 AND 100),
        secret bytea NOT NULL,
        previous_secret bytea,
        previous_secret_expires_at timestamptz(3),
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT webhook_endpoints_project_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id),
        CONSTRAINT webhook_endpoints_disabled_check
          CHECK ((status = 'disabled') = (disabled_reason IS NOT NULL) AND (status = 'disabled') = (disabled_at IS NOT NULL))
      )`);
    await queryRunner.query(`CREATE INDEX webhook_endpoints_created_at_idx ON webhook_endpoints (organization_id, created_at, id)`);
    await queryRunner.query(
      `CREATE INDEX webhook_endpoints_enabled_idx ON webhook_endpoints (organization_id, mode) WHERE status = 'enabled'`,
    );
    await queryRunner.query(`
      CREATE TABLE webhook_deliveries (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid,
        mode text NOT NULL CONSTRAINT webhook_deliveries_mode_check CHECK (mode IN ('live', 'test')),
        endpoint_id uuid NOT NULL,
        event_id uuid NOT NULL,
        event_type text NOT NULL,
        status text NOT NULL DEFAULT 'ready'
          CONSTRAINT webhook_deliveries_status_check CHECK (status IN ('ready', 'sending', 'waiting', 'delivered', 'failed')),
        attempt_count integer NOT NULL DEFAULT 0,
        tries smallint NOT NULL DEFAULT 0,
        queued_at timestamptz(3) NOT NULL DEFAULT statement_timestamp(),
        due_at timestamptz(3) NOT NULL DEFAULT now(),
        leased_until timestamptz(3),
        last_attempt_at timestamptz(3),
        last_status smallint,
        last_error text,
        delivered_at timestamptz(3),
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`);
    await queryRunner.query(`CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (organization_id, created_at, id)`);
    await queryRunner.query(`CREATE INDEX webhook_deliveries_endpoint_idx ON webhook_deliveries (endpoint_id, created_at, id)`);
    await queryRunner.query(`CREATE INDEX webhook_deliveries_event_idx ON webhook_deliveries (event_id)`);
    // used by the workers: next due deliveries, deliveries in flight, deliveries that are not due yet
    await queryRunner.query(
      `CREATE INDEX webhook_deliveries_first_idx ON webhook_deliveries (endpoint_id, due_at) WHERE status = 'ready' AND tries = 0`,
    );
    await queryRunner.query(
      `CREATE INDEX webhook_deliveries_retry_idx ON webhook_deliveries (endpoint_id, due_at) WHERE status = 'ready' AND tries > 0`,
    );
    await queryRunner.query(
      `CREATE INDEX webhook_deliveries_sending_idx ON webhook_deliveries (endpoint_id, leased_until) WHERE status = 'sending'`,
    );
    await queryRunner.query(`CREATE INDEX webhook_deliveries_waiting_idx ON webhook_deliveries (due_at) WHERE status = 'waiting'`);
    await queryRunner.query(`
      CREATE TABLE webhook_attempts (
        delivery_id uuid NOT NULL,
        number integer NOT NULL,
        started_at timestamptz(3) NOT NULL,
        latency_ms integer NOT NULL,
        status smallint,
        headers jsonb,
        body text,
        error text,
        PRIMARY KEY (delivery_id, number)
      )`);
    await queryRunner.query(`CREATE INDEX outbox_events_created_at_idx ON outbox_events (organization_id, created_at, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX outbox_events_created_at_idx`);
    await queryRunner.query(`DROP TABLE webhook_attempts`);
    await queryRunner.query(`DROP TABLE webhook_deliveries`);
    await queryRunner.query(`DROP TABLE webhook_endpoints`);
  }
}
