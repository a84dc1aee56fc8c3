import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The audit log. Each entry has the hash of the one before it, by organization; a row of `audit_chains` has the last one, and the last
 * one that was deleted after its retention. The hashes are computed here, so that one statement appends and one verifies.
 */
export class PlatformAuditLog1798853000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // no reference to organizations: the log outlives them
    await queryRunner.query(`
      CREATE TABLE audit_chains (
        organization_id uuid PRIMARY KEY,
        last_sequence bigint NOT NULL DEFAULT 0,
        last_hash bytea NOT NULL DEFAULT '\\x',
        deleted_sequence bigint NOT NULL DEFAULT 0,
        deleted_hash bytea NOT NULL DEFAULT '\\x'
      )`);
    await queryRunner.query(`
      CREATE TABLE audit_entries (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        sequence bigint NOT NULL,
        action text NOT NULL,
        object_type text NOT NULL,
        object_id text,
        before json,
        after json,
        actor_type text NOT NULL,
        actor_id text,
        actor_name text,
        operation text,
        address text,
        user_agent text,
        request_id text,
        hash bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX audit_entries_sequence_key ON audit_entries (organization_id, sequence)`);
    await queryRunner.query(`CREATE INDEX audit_entries_created_at_idx ON audit_entries (organization_id, created_at, id)`);
    await queryRunner.query(
      `CREATE INDEX audit_entries_object_idx ON audit_entries (organization_id, object_id, created_at, id) WHERE object_id IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX audit_entries_actor_idx ON audit_entries (organization_id, actor_id, created_at, id) WHERE actor_id IS NOT NULL`,
    );
    await queryRunner.query(HASH);
    await queryRunner.query(APPEND);
    await queryRunner.query(DELETE);
    await queryRunner.query(`
      CREATE FUNCTION keep_audit_entries() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' AND current_setting('work_suite.audit_retention', true) = 'on' THEN RETURN OLD; END IF;
        RAISE EXCEPTION 'audit_entries is append-only';
      END $$`);
    await queryRunner.query(
      `CREATE TRIGGER audit_entries_keep_rows BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION keep_audit_entries()`,
    );
    await queryRunner.query(
      `CREATE TRIGGER audit_entries_keep_all BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_entries()`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION delete_audit_entries');
    await queryRunner.query('DROP FUNCTION append_audit_entries');
    await queryRunner.query('DROP FUNCTION audit_hash');
    await queryRunner.query('DROP TABLE audit_entries, audit_chains');
    await queryRunner.query('DROP FUNCTION keep_audit_entries');
  }
}

/** Covers every column; json keeps its text, so that it is hashed as it was written. */
const HASH = `
  CREATE FUNCTION audit_hash(previous bytea, e audit_entries) RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT sha256(previous || convert_to(json_build_array(
      e.organization_id, e.sequence, e.id, e.action, e.object_type, e.object_id, e.before::text, e.after::text, e.actor_type, e.actor_id,
      e.actor_name, e.operation, e.address, e.user_agent, e.request_id, (extract(epoch FROM e.created_at) * 1000)::bigint)::text, 'UTF8'))
  $$`;

/**
 * Appends entries in order. Those of an organization wait for each other until their transactions end, so it is the last statement of a
 * transaction that locks rows. Returns the entries only if an endpoint names one of the events.
 */
const APPEND = `
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
      entry := ROW(given->>'id', organization, chain.last_sequence, given->>'action', given->>'object_type', given->>'object_id',
        given->>'before', given->>'after', caller->>'actor_type', caller->>'actor_id',
        caller->>'actor_name', caller->>'operation', caller->>'address', caller->>'user_agent', caller->>'request_id', ''::bytea, at, at);
      chain.last_hash := audit_hash(chain.last_hash, entry);
      entry.hash := chain.last_hash;
      INSERT INTO audit_entries SELECT entry.*;
      IF is_sent THEN RETURN NEXT entry; END IF;
    END LOOP;
    UPDATE audit_chains SET last_sequence = chain.last_sequence, last_hash = chain.last_hash WHERE organization_id = organization;
  END $$`;

/** Deletes the oldest entries of all organizations, and notes where the rest begins. Returns how many. */
const DELETE = `
  CREATE FUNCTION delete_audit_entries(before_time timestamptz, batch integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    deleted integer;
  BEGIN
    PERFORM set_config('work_suite.audit_retention', 'on', true);
    WITH gone AS (
      DELETE FROM audit_entries WHERE id IN (
        SELECT id FROM audit_entries WHERE created_at < before_time ORDER BY organization_id, sequence LIMIT batch)
      RETURNING organization_id, sequence, hash
    ), last AS (
      SELECT DISTINCT ON (organization_id) * FROM gone ORDER BY organization_id, sequence DESC
    ), noted AS (
      UPDATE audit_chains c SET deleted_sequence = last.sequence, deleted_hash = last.hash
      FROM last WHERE c.organization_id = last.organization_id
    )
    SELECT count(*) INTO deleted FROM gone;
    PERFORM set_config('work_suite.audit_retention', '', true);
    RETURN deleted;
  END $$`;
