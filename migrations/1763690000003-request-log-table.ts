import type { MigrationInterface, QueryRunner } from 'typeorm';

/** No foreign keys: they would cost a look-up per row, and log rows may refer to resources that never existed. */
export class RequestLogTable1763690000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE request_logs (
        id uuid PRIMARY KEY,
        organization_id uuid,
        project_id uuid,
        mode text,
        api_key_id uuid,
        member_id uuid,
        plane text NOT NULL,
        method text NOT NULL,
        route text,
        operation text,
        tool text,
        via text NOT NULL,
        status smallint NOT NULL,
        code text,
        latency_ms real NOT NULL,
        address text NOT NULL,
        request_id text NOT NULL,
        idempotent_replay boolean NOT NULL DEFAULT false,
        user_agent text,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`CREATE INDEX request_logs_created_at_idx ON request_logs (organization_id, created_at, id)`);
    await queryRunner.query(`CREATE INDEX request_logs_api_key_idx ON request_logs (organization_id, api_key_id, created_at, id)`);
    await queryRunner.query(`CREATE INDEX request_logs_operation_idx ON request_logs (organization_id, operation, created_at, id)`);
    await queryRunner.query(`CREATE INDEX request_logs_request_id_idx ON request_logs (request_id)`);
    // partial indexes: they contain only tool calls and failed calls
    await queryRunner.query(
      `CREATE INDEX request_logs_tool_idx ON request_logs (organization_id, tool, created_at, id) WHERE tool IS NOT NULL`,
    );
    await queryRunner.query(`CREATE INDEX request_logs_failed_idx ON request_logs (organization_id, created_at, id) WHERE status >= 400`);
    await queryRunner.query(
      `CREATE INDEX request_logs_failed_status_idx ON request_logs (organization_id, status, created_at, id) WHERE status >= 400`,
    );
    await queryRunner.query(
      `CREATE INDEX request_logs_failed_code_idx ON request_logs (organization_id, code, created_at, id) WHERE status >= 400`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE request_logs`);
  }
}
