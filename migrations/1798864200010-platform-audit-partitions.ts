import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Partitions the audit log. The database makes the ids of entries, by its clock. The clock can be set back, so a partition need not be a
 * piece of the chain: entries are deleted in the order of the chain, and only empty partitions are dropped. No index can be unique without
 * the id; the numbers are unique because whoever appends an entry locks the chain.
 */
export class PlatformAuditPartitions1798864200010 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // an invalid one is left behind if it was interrupted
    const [{ is_split }] = (await queryRunner.query(
      `SELECT EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = 'audit_entries'::regclass) AS is_split`,
    )) as { is_split: boolean }[];
    if (!is_split) {
      await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS audit_entries_chain_idx');
      await queryRunner.query('CREATE INDEX CONCURRENTLY audit_entries_chain_idx ON audit_entries (organization_id, sequence)');
      await queryRunner.query(`SELECT partitions.bound('audit_entries', 'id')`);
      await queryRunner.query(`SELECT partitions.validate('audit_entries')`);
      // one transaction: the functions have the type of the table's rows in their signatures
      await queryRunner.query(`
        SET LOCAL lock_timeout = '3s';
        LOCK TABLE audit_chains, audit_entries IN ACCESS EXCLUSIVE MODE;
        DROP INDEX audit_entries_sequence_key;
        ${DROP_FUNCTIONS};
        SELECT partitions.split('audit_entries', 'id');
        ${['before', 'default'].map(keepAll).join(';')};
        ${HASH};
        ${append(OWN_ID)}`);
    }
    await queryRunner.query(DROP_EMPTY);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION partitions.drop_empty');
    await queryRunner.query(DROP_FUNCTIONS);
    await queryRunner.query(`SELECT partitions.merge('audit_entries')`);
    await queryRunner.query(HASH);
    await queryRunner.query(append(GIVEN_ID));
    await queryRunner.query('DROP INDEX audit_entries_chain_idx');
    await queryRunner.query('CREATE UNIQUE INDEX audit_entries_sequence_key ON audit_entries (organization_id, sequence)');
  }
}

const DROP_FUNCTIONS = 'DROP FUNCTION append_audit_entries, audit_hash';

/** A trigger for statements of the table does not cover those of its partitions. Later ones get theirs when they are made. */
function keepAll(partition: string): string {
  return `CREATE TRIGGER audit_entries_keep_all BEFORE TRUNCATE ON partitions.audit_entries_${partition}
    FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_entries()`;
}

const HASH = `
  CREATE FUNCTION audit_hash(previous bytea, e audit_entries) RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT sha256(previous || convert_to(json_build_array(
      e.organization_id, e.sequence, e.id, e.action, e.object_type, e.object_id, e.before::text, e.after::text, e.actor_type, e.actor_id,
      e.actor_name, e.operation, e.address, e.user_agent, e.request_id, (extract(epoch FROM e.created_at) * 1000)::bigint)::text, 'UTF8'))
  $$`;

const GIVEN_ID = `given->>'id'`;
/** A UUIDv7: the time, twelve bits of the number, so that entries of a millisecond have an order, and random ones. */
const OWN_ID = `(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
          || lpad(to_hex(chain.last_sequence & 4095), 3, '0') || right(gen_random_uuid()::text, 17))::uuid`;

function append(id: string): string {
  return `
  CREATE FUNCTION append_audit_entries(organization uuid, caller json, entries json, event_names text[]) RETURNS SETOF audit_entries
  LANGUAGE plpgsql AS $$
  DECLARE
    chain audit_chains;
    given json;
    entry audit_entries;
    at timestamptz(3);
    is_sent boolean := EXISTS (
      SELECT FROM webhook_endpoints w
      WHERE w.organization_id = organization AND w.mode = 'live' AND w.status = 'enabled' AND w.events && event_names);
  BEGIN
    SELECT * INTO chain FROM audit_chains WHERE organization_id = organization FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO audit_chains (organization_id) VALUES (organization) ON CONFLICT DO NOTHING;
      SELECT * INTO chain FROM audit_chains WHERE organization_id = organization FOR UPDATE;
    END IF;
    at := clock_timestamp();
    FOR given IN SELECT * FROM json_array_elements(entries) LOOP
      chain.last_sequence := chain.last_sequence + 1;
      entry := ROW(${id}, organization, chain.last_sequence, given->>'action', given->>'object_type', given->>'object_id',
        given->>'before', given->>'after', caller->>'actor_type', caller->>'actor_id',
        caller->>'actor_name', caller->>'operation', caller->>'address', caller->>'user_agent', caller->>'request_id', ''::bytea, at, at);
      chain.last_hash := audit_hash(chain.last_hash, entry);
      entry.hash := chain.last_hash;
      INSERT INTO audit_entries SELECT entry.*;
      IF is_sent THEN RETURN NEXT entry; END IF;
    END LOOP;
    UPDATE audit_chains SET last_sequence = chain.last_sequence, last_hash = chain.last_hash WHERE organization_id = organization;
  END $$`;
}

/**
 * Drops the empty partitions that end at or before a time, with the rights of the owner. Returns how many. Those that somebody reads are
 * left for a later call: everything else that needs the table would wait behind this one.
 */
const DROP_EMPTY = `
  CREATE OR REPLACE FUNCTION partitions.drop_empty(name regclass, before_time timestamptz) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '500ms' SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    old regclass;
    is_used boolean;
    dropped integer := 0;
  BEGIN
    IF NOT has_table_privilege(session_user, name, 'DELETE') THEN RAISE insufficient_privilege; END IF;
    FOR old IN SELECT partition FROM partitions.list(name) WHERE ends_at <= before_time LOOP
      EXECUTE format('SELECT EXISTS (SELECT FROM %s)', old) INTO is_used;
      CONTINUE WHEN is_used;
      -- in the order in which whoever writes rows locks them
      EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', name);
      EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', old);
      EXECUTE format('SELECT EXISTS (SELECT FROM %s)', old) INTO is_used;
      CONTINUE WHEN is_used;
      EXECUTE format('DROP TABLE %s', old);
      dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
  EXCEPTION WHEN lock_not_available THEN
    RETURN 0;
  END $$`;
