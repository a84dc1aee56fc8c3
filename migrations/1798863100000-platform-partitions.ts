import type { MigrationInterface, QueryRunner } from 'typeorm';

/** SQLSTATE: insufficient_privilege. */
const FORBIDDEN = '42501';

/**
 * Tables that are partitioned by the time with which their ids begin. Their partitions are in a schema of their own, so that `public` has
 * the tables that the suite knows. A partition is dropped as a whole, instead of deleting its rows.
 *
 * A migration partitions a table outside of a transaction, in three statements: `bound`, `validate` and `split`. They do nothing if that
 * was done. The rows stay where they are: the table becomes the partition of everything before a day in the near future. Only `bound` and
 * `split` lock the table, briefly.
 */
export class PlatformPartitions1798863100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const [{ role, database }] = (await queryRunner.query('SELECT current_user AS role, current_database() AS database')) as {
      role: string;
      database: string;
    }[];
    try {
      await queryRunner.query('CREATE SCHEMA IF NOT EXISTS partitions');
    } catch (error) {
      if ((error as { code?: string }).code !== FORBIDDEN) throw error;
      throw new Error(
        `The database user "${role}" may not create the schema partitions. Run this as a superuser in the database "${database}", then ` +
          `start again: GRANT CREATE ON DATABASE "${database}" TO "${role}";`,
        { cause: error },
      );
    }
    // of the tables in it each has its own rights
    await queryRunner.query('GRANT USAGE ON SCHEMA partitions TO PUBLIC');
    for (const definition of [TIME_OF, FIRST_KEY, LIST, DEFINITIONS, BOUND, VALIDATE, SPLIT, MERGE, MAKE_AHEAD, DROP_BEFORE])
      await queryRunner.query(definition);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP SCHEMA partitions CASCADE');
  }
}

/** The time of a UUIDv7 or of the id of a request, `req_` and the digits of a UUIDv7. */
const TIME_OF = `
  CREATE FUNCTION partitions.time_of(id text) RETURNS timestamptz LANGUAGE sql IMMUTABLE SET search_path = pg_catalog AS $$
    SELECT to_timestamp(('x0000' || left(replace(replace(id, 'req_', ''), '-', ''), 12))::bit(64)::bigint / 1000.0)
  $$`;

/** The smallest id of a time: as \`firstIdAt\`, or of a request in a column of type text. */
const FIRST_KEY = `
  CREATE FUNCTION partitions.first_key(at timestamptz, key_type regtype) RETURNS text
  LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
    SELECT CASE WHEN key_type = 'text'::regtype THEN 'req_' || digits ELSE digits::uuid::text END
    FROM rpad(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0'), 32, '0') AS digits
  $$`;

/**
 * The partitions of a table; none if it is not partitioned. Only those that were made ahead have a beginning. The one that takes what no
 * other does has no end.
 */
const LIST = `
  CREATE FUNCTION partitions.list(name regclass) RETURNS TABLE (partition regclass, begins_at timestamptz, ends_at timestamptz)
  LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
    SELECT c.oid::regclass,
      partitions.time_of(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \\(''([^'']+)''\\)')),
      partitions.time_of(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''([^'']+)''\\)'))
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = name
  $$`;

/** The statements that give a new table of the same name what the table has beside its columns, in their order; triggers follow last. */
const DEFINITIONS = `
  CREATE FUNCTION partitions.definitions(name regclass) RETURNS TABLE (is_trigger boolean, statement text)
  LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
    SELECT place = 5, text FROM (
      SELECT CASE contype WHEN 'c' THEN 1 WHEN 'f' THEN 4 ELSE 2 END AS place, conname AS object,
        format('ALTER TABLE %s ADD CONSTRAINT %I %s', name, conname, pg_get_constraintdef(oid)) AS text
      FROM pg_constraint WHERE conrelid = name AND contype IN ('c', 'p', 'u', 'f') AND conname <> 'partitions_bound'
      UNION ALL
      SELECT 3, indexrelid::regclass::text, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
      FROM pg_index WHERE indrelid = name
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = name AND conindid = indexrelid AND contype IN ('p', 'u'))
      UNION ALL
      SELECT 4, 'owner', format('ALTER TABLE %s OWNER TO %s', name, relowner::regrole) FROM pg_class WHERE oid = name
      UNION ALL
      SELECT 4, 'grant',
        format('GRANT %s ON %s TO %s', privilege_type, name, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END)
      FROM pg_class, aclexplode(relacl) WHERE oid = name AND grantee <> relowner
      UNION ALL
      SELECT 5, tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = name AND NOT tgisinternal
    ) AS d ORDER BY place, object
  $$`;

/**
 * Announces the day until which all rows of the table stay together. Until `split`, ids of that day and later are refused: a week from now
 * at the earliest.
 */
const BOUND = `
  CREATE FUNCTION partitions.bound(name regclass, key name) RETURNS void
  LANGUAGE plpgsql SET lock_timeout = '3s' SET search_path = pg_catalog AS $$
  DECLARE
    present text := (SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = name AND conname = 'partitions_bound');
    ends text := partitions.first_key(date_trunc('day', now(), 'UTC') + interval '8 days',
      (SELECT atttypid FROM pg_attribute WHERE attrelid = name AND attname = key));
    is_passed boolean;
  BEGIN
    IF EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = name) THEN RETURN; END IF;
    -- of a run that was interrupted
    IF partitions.time_of(substring(present FROM '''([^'']+)''')) > now() + interval '1 day' THEN RETURN; END IF;
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS partitions_bound', name);
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %I >= %L)', name, key, ends) INTO is_passed;
    -- with ids that no clock has made, split looks at each row itself
    IF NOT is_passed THEN
      EXECUTE format('ALTER TABLE %s ADD CONSTRAINT partitions_bound CHECK (%I < %L) NOT VALID', name, key, ends);
    END IF;
  END $$`;

/** Reads the whole table, beside all reads and writes. */
const VALIDATE = `
  CREATE FUNCTION partitions.validate(name regclass) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog AS $$
  BEGIN
    IF EXISTS (SELECT FROM pg_constraint WHERE conrelid = name AND conname = 'partitions_bound')
      THEN EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT partitions_bound', name); END IF;
  END $$`;

/** Puts a partitioned table in the place of the table, which becomes its first partition. */
const SPLIT = `
  CREATE FUNCTION partitions.split(name regclass, key name) RETURNS void
  LANGUAGE plpgsql SET lock_timeout = '3s' SET search_path = pg_catalog AS $$
  DECLARE
    short name := (SELECT relname FROM pg_class WHERE oid = name);
    full_name text := name::text;
    rows_before text := format('partitions.%I', short || '_before');
    definitions text[];
    triggers text[];
    own_triggers name[];
    columns text;
    ends text;
    one text;
  BEGIN
    IF EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = name) THEN RETURN; END IF;
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', name);
    definitions := ARRAY(SELECT statement FROM partitions.definitions(name) WHERE NOT is_trigger);
    triggers := ARRAY(SELECT statement FROM partitions.definitions(name) WHERE is_trigger);
    own_triggers := ARRAY(SELECT tgname FROM pg_trigger WHERE tgrelid = name AND NOT tgisinternal);
    columns := (SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
      WHERE attrelid = name AND attnum > 0 AND NOT attisdropped AND attgenerated = '');
    ends := coalesce(
      (SELECT substring(pg_get_constraintdef(oid) FROM '''([^'']+)''') FROM pg_constraint
        WHERE conrelid = name AND conname = 'partitions_bound'),
      partitions.first_key(date_trunc('day', now(), 'UTC') + interval '8 days',
        (SELECT atttypid FROM pg_attribute WHERE attrelid = name AND attname = key)));
    FOREACH one IN ARRAY own_triggers LOOP EXECUTE format('DROP TRIGGER %I ON %s', one, name); END LOOP;
    EXECUTE format('ALTER TABLE %s SET SCHEMA partitions', name);
    EXECUTE format('ALTER TABLE partitions.%I RENAME TO %I', short, short || '_before');
    EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING STORAGE INCLUDING COMPRESSION)
      PARTITION BY RANGE (%I)', full_name, rows_before, key);
    FOREACH one IN ARRAY definitions LOOP EXECUTE one; END LOOP;
    EXECUTE format('CREATE TABLE partitions.%I PARTITION OF %s DEFAULT %s', short || '_default', full_name,
      (SELECT 'WITH (' || array_to_string(reloptions, ', ') || ')' FROM pg_class WHERE oid = rows_before::regclass));
    EXECUTE format('WITH odd AS (DELETE FROM %1$s WHERE %2$I >= %3$L RETURNING *) INSERT INTO %4$s (%5$s) SELECT %5$s FROM odd',
      rows_before, key, ends, full_name, columns);
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (MINVALUE) TO (%L)', full_name, rows_before, ends);
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS partitions_bound', rows_before);
    FOREACH one IN ARRAY triggers LOOP EXECUTE one; END LOOP;
  END $$`;

/** The way back: one table with all rows. Copies them, while nothing else reads or writes the table. */
const MERGE = `
  CREATE FUNCTION partitions.merge(name regclass) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog AS $$
  DECLARE
    short name := (SELECT relname FROM pg_class WHERE oid = name);
    full_name text := name::text;
    definitions text[];
    options text := (SELECT 'WITH (' || array_to_string(reloptions, ', ') || ')' FROM pg_class
      WHERE oid = format('partitions.%I', short || '_default')::regclass);
    columns text := (SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
      WHERE attrelid = name AND attnum > 0 AND NOT attisdropped AND attgenerated = '');
    one text;
  BEGIN
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', name);
    definitions := ARRAY(SELECT statement FROM partitions.definitions(name));
    EXECUTE format('CREATE TABLE partitions.merged
      (LIKE %s INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING STORAGE INCLUDING COMPRESSION) %s', full_name, options);
    EXECUTE format('INSERT INTO partitions.merged (%1$s) SELECT %1$s FROM %2$s', columns, full_name);
    EXECUTE format('DROP TABLE %s', full_name);
    EXECUTE format('ALTER TABLE partitions.merged RENAME TO %I', short);
    EXECUTE format('ALTER TABLE partitions.%I SET SCHEMA public', short);
    FOREACH one IN ARRAY definitions LOOP EXECUTE one; END LOOP;
  END $$`;

/**
 * Makes the partitions of the next days, each for so many days. With the rights of the owner: the user of the suite need not be that.
 * Returns how many were made.
 */
const MAKE_AHEAD = `
  CREATE FUNCTION partitions.make_ahead(name regclass, days integer, at timestamptz) RETURNS integer
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

/** Drops the partitions that end at or before a time, with the rights of the owner. Returns how many. */
const DROP_BEFORE = `
  CREATE FUNCTION partitions.drop_before(name regclass, before_time timestamptz) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '1s' SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    old regclass;
    dropped integer := 0;
  BEGIN
    IF NOT has_table_privilege(session_user, name, 'DELETE') THEN RAISE insufficient_privilege; END IF;
    FOR old IN SELECT partition FROM partitions.list(name) WHERE ends_at <= before_time LOOP
      EXECUTE format('DROP TABLE %s', old);
      dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
  END $$`;
