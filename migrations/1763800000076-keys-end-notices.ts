import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which mails announced the end of a key. A key whose end is moved is announced again. */
export class KeysEndNotices1763800000076 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE api_key_end_notices (
        api_key_id uuid NOT NULL CONSTRAINT api_key_end_notices_api_key_fkey REFERENCES api_keys (id) ON DELETE CASCADE,
        expires_at timestamptz(3) NOT NULL,
        days smallint NOT NULL,
        PRIMARY KEY (api_key_id, expires_at, days)
      )`);
    await queryRunner.query(`CREATE INDEX api_key_end_notices_expires_at_idx ON api_key_end_notices (expires_at)`);
    await queryRunner.query(`CREATE INDEX api_keys_expires_at_idx ON api_keys (expires_at) WHERE status = 'active'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX api_keys_expires_at_idx`);
    await queryRunner.query(`DROP TABLE api_key_end_notices`);
  }
}
