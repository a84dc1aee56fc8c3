import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Drops one partition at a time. `drop_before` drops all that are old in one transaction, so that one which is being read keeps all. It
 * remains for processes of the earlier version, which run until the last of them is replaced.
 */
export class PlatformDropOnePartition1798865200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DROP_ONE);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION partitions.drop_one');
  }
}

/**
 * Drops a partition of the table if it ends at or before a time, with the rights of the owner of the table. Does nothing if `old` is null:
 * another process has dropped it.
 */
const DROP_ONE = `
  CREATE FUNCTION partitions.drop_one(name regclass, old regclass, before_time timestamptz) RETURNS void
  LANGUAGE plpgsql STRICT SECURITY DEFINER SET lock_timeout = '1s' SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF NOT has_table_privilege(session_user, name, 'DELETE') THEN RAISE insufficient_privilege; END IF;
    IF EXISTS (SELECT FROM partitions.list(name) WHERE partition = old AND ends_at <= before_time)
      THEN EXECUTE format('DROP TABLE %s', old); END IF;
  END $$`;
