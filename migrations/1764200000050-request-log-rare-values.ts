import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A filter whose value few or no rows have must not read all rows of the organization. All indexes are partial: the usual call, a GET or
 * POST that is answered with 200 or 201 to a key without project and member, is in none of them.
 */
export class RequestLogRareValues1764200000050 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX request_logs_project_idx ON request_logs (organization_id, project_id, created_at, id) WHERE project_id IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX request_logs_member_idx ON request_logs (organization_id, member_id, created_at, id) WHERE member_id IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX request_logs_method_idx ON request_logs (organization_id, method, created_at, id)
       WHERE method <> 'GET' AND method <> 'POST'`,
    );
    await queryRunner.query(
      `CREATE INDEX request_logs_status_idx ON request_logs (organization_id, status, created_at, id)
       WHERE status < 400 AND status <> 200 AND status <> 201`,
    );
    await queryRunner.query(`DROP INDEX request_logs_slow_idx`);
    await queryRunner.query(`CREATE INDEX request_logs_slow_idx ON request_logs (organization_id, created_at, id) WHERE latency_ms >= 100`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX request_logs_slow_idx`);
    await queryRunner.query(`CREATE INDEX request_logs_slow_idx ON request_logs (organization_id, created_at, id) WHERE latency_ms >= 200`);
    await queryRunner.query(
      `DROP INDEX request_logs_status_idx, request_logs_method_idx, request_logs_member_idx, request_logs_project_idx`,
    );
  }
}
