import type { MigrationInterface, QueryRunner } from 'typeorm';

const KEYS = { request_logs: 'id', request_bodies: 'request_id' };

/** Partitions the request log and the kept bodies. */
export class PlatformRequestLogPartitions1798863100010 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, key] of Object.entries(KEYS)) {
      await queryRunner.query(`SELECT partitions.bound('${table}', '${key}')`);
      await queryRunner.query(`SELECT partitions.validate('${table}')`);
      await queryRunner.query(`SELECT partitions.split('${table}', '${key}')`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of Object.keys(KEYS)) await queryRunner.query(`SELECT partitions.merge('${table}')`);
  }
}
