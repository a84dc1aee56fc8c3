import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Endpoints have headers, a rate, and a filter of field values. */
export class PlatformEndpointOptions1798851000100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE webhook_endpoints
        ADD COLUMN headers bytea,
        ADD COLUMN header_names text[] NOT NULL DEFAULT '{}',
        ADD COLUMN max_per_minute integer
          CONSTRAINT webhook_endpoints_max_per_minute_check CHECK (max_per_minute BETWEEN 1 AND 60000),
        ADD COLUMN filter jsonb`);
    // apart from the endpoints, whose rows a member may have locked while deliveries are claimed
    await queryRunner.query(`
      CREATE TABLE webhook_rates (
        endpoint_id uuid PRIMARY KEY,
        next_at timestamptz NOT NULL
      )`);
    await queryRunner.query(`
      CREATE FUNCTION webhook_filter_matches(filter jsonb, event jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
        SELECT NOT EXISTS (
          SELECT FROM jsonb_each(filter) AS wanted (path, among)
          CROSS JOIN LATERAL (SELECT coalesce(event #> string_to_array(path, '.'), 'null') AS value) AS found
          WHERE NOT CASE jsonb_typeof(value)
            WHEN 'array' THEN EXISTS (SELECT FROM jsonb_array_elements_text(value) AS item WHERE among ? item)
            ELSE among ? coalesce(value #>> '{}', 'null')
          END
        )
      $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION webhook_filter_matches(jsonb, jsonb)');
    await queryRunner.query('DROP TABLE webhook_rates');
    await queryRunner.query(
      'ALTER TABLE webhook_endpoints DROP COLUMN headers, DROP COLUMN header_names, DROP COLUMN max_per_minute, DROP COLUMN filter',
    );
  }
}
