import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Partitions the audit log. The database makes the ids of entries, by its clock: their order is that of the chain, so that a partition is a
 * piece of it. Before one is dropped, the chain notes its last hash. No index can be unique without the id; the numbers are unique because
 * whoever appends an entry locks the chain.
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
        ${HASH};
        ${append(OWN_ID)}`);
    }
    await queryRunner.query(RETAIN);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION drop_audit_partition');
    await queryRunner.query(DROP_FUNCTIONS);
    await queryRunner.query(`SELECT partitions.merge('audit_entries')`);
    await queryRunner.query(HASH);
    await queryRunner.query(append(GIVEN_ID));
    await queryRunner.query('DROP INDEX audit_entries_chain_idx');
    await queryRunner.query('CREATE UNIQUE INDEX audit_entries_sequence_key ON audit_entries (organization_id, sequence)');
  }
}

const DROP_FUNCTIONS = 'DROP FUNCTION append_audit_entries, audit_hash';

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
 * Drops the oldest partition if it ends at or before a time, after its last hashes were noted, and says whether it did. If the clock was
 * set back, other partitions may have entries that come earlier in the chain: they go first, so that nothing waits for long once tables are
 * locked.
 */
const RETAIN = `
  CREATE OR REPLACE FUNCTION drop_audit_partition(before_time timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    old record;
    other regclass;
  BEGIN
    SELECT * INTO old FROM partitions.list('audit_entries') WHERE ends_at <= before_time ORDER BY ends_at LIMIT 1;
    IF NOT FOUND THEN RETURN false; END IF;
    EXECUTE format('
      UPDATE audit_chains c SET deleted_sequence = last.sequence, deleted_hash = last.hash
      FROM (
        SELECT o.organization_id, e.sequence, e.hash FROM audit_chains o CROSS JOIN LATERAL (
          SELECT sequence, hash FROM %s WHERE organization_id = o.organization_id ORDER BY sequence DESC LIMIT 1) AS e
      ) AS last
      WHERE c.organization_id = last.organization_id AND c.deleted_sequence < last.sequence', old.partition);
    PERFORM set_config('work_suite.audit_retention', 'on', true);
    FOR other IN SELECT partition FROM partitions.list('audit_entries') WHERE partition <> old.partition LOOP
      EXECUTE format('
        DELETE FROM %1$s WHERE ctid = ANY(ARRAY(
          SELECT e.ctid FROM audit_chains c CROSS JOIN LATERAL (
            SELECT ctid FROM %1$s WHERE organization_id = c.organization_id AND sequence <= c.deleted_sequence OFFSET 0) AS e))', other);
    END LOOP;
    PERFORM set_config('work_suite.audit_retention', '', true);
    PERFORM partitions.drop_before('audit_entries', old.ends_at);
    RETURN true;
  END $$`;
