import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Connections of MCP clients are listed, and those that are not used are ended. */
export class KeysConnections1763800003001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX api_keys_connections_idx ON api_keys (organization_id, created_at, id) WHERE origin = 'oauth' AND status <> 'revoked'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX api_keys_connections_idx`);
  }
}
