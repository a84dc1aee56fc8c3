import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rows that were written while there was no partition for them stay in the default one, where no other partition can have them. Partitions
 * are made of the days before and after those of such rows; before, no partition was made that would have begun earlier, so that one of
 * many days was never made again. Partitions also refuse TRUNCATE if their table does: a trigger of the table covers only the table.
 */
export class PlatformPartitionsBesideRows1798864500000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(MAKE_AHEAD);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(EARLIER_MAKE_AHEAD);
  }
}

const MAKE_AHEAD = `
  CREATE OR REPLACE FUNCTION partitions.make_ahead(name regclass, days integer, at timestamptz) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '1s' SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    short name := (SELECT relname FROM pg_class WHERE oid = name);
    rest text := format('partitions.%I', short || '_default');
    options text := (SELECT 'WITH (' || array_to_string(reloptions, ', ') || ')' FROM pg_class WHERE oid = rest::regclass);
    begins timestamptz := greatest((SELECT max(ends_at) FROM partitions.list(name)), date_trunc('day', at, 'UTC'));
    ends timestamptz;
    key name;
    key_type regtype;
    next_key text;
    new_name text;
    one text;
    made integer := 0;
  BEGIN
    IF NOT has_table_privilege(session_user, name, 'INSERT') THEN RAISE insufficient_privilege; END IF;
    SELECT a.attname, a.atttypid INTO key, key_type FROM pg_partitioned_table p
      JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0] WHERE p.partrelid = name;
    WHILE begins <= at + interval '3 days' LOOP
      ends := begins + days * interval '1 day';
      EXECUTE format('SELECT %1$I FROM %2$s WHERE %1$I >= %3$L AND %1$I < %4$L ORDER BY %1$I LIMIT 1', key, rest,
        partitions.first_key(begins, key_type), partitions.first_key(ends, key_type)) INTO next_key;
      ends := least(ends, date_trunc('day', partitions.time_of(next_key), 'UTC'));
      IF ends <= begins THEN
        begins := begins + interval '1 day';
        CONTINUE;
      END IF;
      new_name := format('partitions.%I', short || to_char(begins AT TIME ZONE 'UTC', '_YYYYMMDD'));
      BEGIN
        EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL) %s', new_name, rest, options);
        EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', name, new_name,
          partitions.first_key(begins, key_type), partitions.first_key(ends, key_type));
        FOR one IN
          SELECT format('CREATE TRIGGER %I BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION %s()',
            tgname, new_name, tgfoid::regproc)
          FROM pg_trigger WHERE tgrelid = name AND tgtype & 34 = 34
        LOOP EXECUTE one; END LOOP;
        made := made + 1;
      EXCEPTION
        -- a row of these days was written just now: the next call goes around it
        WHEN check_violation THEN EXIT;
        -- another process has made it
        WHEN duplicate_table THEN NULL;
      END;
      begins := ends;
    END LOOP;
    RETURN made;
  END $$`;

const EARLIER_MAKE_AHEAD = `
  CREATE OR REPLACE FUNCTION partitions.make_ahead(name regclass, days integer, at timestamptz) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '1s' SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    short name := (SELECT relname FROM pg_class WHERE oid = name);
    rest text := format('partitions.%I', short || '_default');
    options text := (SELECT 'WITH (' || array_to_string(reloptions, ', ') || ')' FROM pg_class WHERE oid = rest::regclass);
    key_type regtype := (SELECT a.atttypid FROM pg_partitioned_table p
      JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0] WHERE p.partrelid = name);
    begins timestamptz := greatest((SELECT max(ends_at) FROM partitions.list(name)), date_trunc('day', at, 'UTC'));
    new_name text;
    made integer := 0;
  BEGIN
    IF NOT has_table_privilege(session_user, name, 'INSERT') THEN RAISE insufficient_privilege; END IF;
    WHILE begins <= at + interval '3 days' LOOP
      new_name := format('partitions.%I', short || to_char(begins AT TIME ZONE 'UTC', '_YYYYMMDD'));
      BEGIN
        EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL) %s', new_name, rest, options);
        EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', name, new_name,
          partitions.first_key(begins, key_type), partitions.first_key(begins + days * interval '1 day', key_type));
        made := made + 1;
      EXCEPTION
        -- no partition was made in time, so rows of these days are in the default one, where they stay
        WHEN check_violation THEN NULL;
        -- another process has made it
        WHEN duplicate_table THEN NULL;
      END;
      begins := begins + days * interval '1 day';
    END LOOP;
    RETURN made;
  END $$`;
