import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Calls of whole days, counted once: to count a month of them at each look takes seconds. */
export class RequestLogCounts1763800003002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE request_log_days (start_at timestamptz(3) PRIMARY KEY)`);
    await queryRunner.query(`
      CREATE TABLE request_log_counts (
        organization_id uuid NOT NULL,
        day timestamptz(3) NOT NULL,
        "grouping" text NOT NULL CONSTRAINT request_log_counts_grouping_check CHECK ("grouping" IN ('interval', 'route', 'key')),
        plane text NOT NULL,
        mode text,
        of_lead_key boolean NOT NULL,
        start_at timestamptz(3),
        method text,
        route text,
        operation text,
        status smallint,
        code text,
        tool text,
        api_key_id uuid,
        errors integer NOT NULL,
        steps text NOT NULL
      )`);
    await queryRunner.query(`CREATE INDEX request_log_counts_day_idx ON request_log_counts (organization_id, day)`);
    await queryRunner.query(`CREATE INDEX request_log_counts_old_idx ON request_log_counts USING brin (day)`);
    await queryRunner.query(
      `CREATE INDEX request_logs_route_idx ON request_logs (organization_id, route, created_at, id) WHERE route IS NOT NULL`,
    );
    await queryRunner.query(`CREATE INDEX request_logs_slow_idx ON request_logs (organization_id, created_at, id) WHERE latency_ms >= 200`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX request_logs_slow_idx, request_logs_route_idx`);
    await queryRunner.query(`DROP TABLE request_log_counts, request_log_days`);
  }
}
