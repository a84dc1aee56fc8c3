import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Chains have the time of the latest entry that the retention deleted, so that a log that was shortened early is found. */
export class PlatformAuditDeletedUntil1798865500000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // null for what was deleted before
    await queryRunner.query('ALTER TABLE audit_chains ADD COLUMN deleted_until timestamptz(3)');
    await queryRunner.query(DELETE);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(EARLIER_DELETE);
    await queryRunner.query('ALTER TABLE audit_chains DROP COLUMN deleted_until');
  }
}

/** As in 1798865100000, and refuses a time ahead. */
const DELETE = `
  CREATE OR REPLACE FUNCTION delete_audit_entries(before_time timestamptz, batch integer) RETURNS integer
  LANGUAGE plpgsql AS $$
  DECLARE
    organization uuid;
    deleted integer := 0;
  BEGIN
    IF before_time > clock_timestamp() THEN
      RAISE EXCEPTION 'The audit log goes by the clock of the database: it cannot be shortened as of % now.', before_time;
    END IF;
    PERFORM set_config('work_suite.audit_retention', 'on', true);
    FOR organization IN
      SELECT c.organization_id FROM audit_chains c
      WHERE before_time > (
        SELECT e.created_at FROM audit_entries e WHERE e.organization_id = c.organization_id ORDER BY e.sequence LIMIT 1)
    LOOP
      PERFORM FROM audit_chains WHERE organization_id = organization FOR UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
      WITH gone AS (
        DELETE FROM audit_entries WHERE id = ANY(ARRAY(
          SELECT id FROM (
            SELECT id, every(created_at < before_time) OVER (ORDER BY sequence) AS goes FROM (
              SELECT id, sequence, created_at FROM audit_entries
              WHERE organization_id = organization ORDER BY sequence LIMIT batch - deleted
            ) AS first
          ) AS e WHERE goes))
        RETURNING sequence, hash, created_at
      ), last AS (
        SELECT sequence, hash, max(created_at) OVER () AS created_at FROM gone ORDER BY sequence DESC LIMIT 1
      ), noted AS (
        UPDATE audit_chains c SET deleted_sequence = last.sequence, deleted_hash = last.hash,
          deleted_until = greatest(c.deleted_until, last.created_at)
        FROM last WHERE c.organization_id = organization AND c.deleted_sequence < last.sequence
      )
      SELECT deleted + count(*) INTO deleted FROM gone;
      EXIT WHEN deleted >= batch;
    END LOOP;
    PERFORM set_config('work_suite.audit_retention', '', true);
    RETURN deleted;
  END $$`;

const EARLIER_DELETE = `
  CREATE OR REPLACE FUNCTION delete_audit_entries(before_time timestamptz, batch integer) RETURNS integer
  LANGUAGE plpgsql AS $$
  DECLARE
    organization uuid;
    deleted integer := 0;
  BEGIN
    PERFORM set_config('work_suite.audit_retention', 'on', true);
    FOR organization IN
      SELECT c.organization_id FROM audit_chains c
      WHERE before_time > (
        SELECT e.created_at FROM audit_entries e WHERE e.organization_id = c.organization_id ORDER BY e.sequence LIMIT 1)
    LOOP
      PERFORM FROM audit_chains WHERE organization_id = organization FOR UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
      WITH gone AS (
        DELETE FROM audit_entries WHERE id = ANY(ARRAY(
          SELECT id FROM (
            SELECT id, every(created_at < before_time) OVER (ORDER BY sequence) AS goes FROM (
              SELECT id, sequence, created_at FROM audit_entries
              WHERE organization_id = organization ORDER BY sequence LIMIT batch - deleted
            ) AS first
          ) AS e WHERE goes))
        RETURNING sequence, hash
      ), last AS (
        SELECT sequence, hash FROM gone ORDER BY sequence DESC LIMIT 1
      ), noted AS (
        UPDATE audit_chains c SET deleted_sequence = last.sequence, deleted_hash = last.hash
        FROM last WHERE c.organization_id = organization AND c.deleted_sequence < last.sequence
      )
      SELECT deleted + count(*) INTO deleted FROM gone;
      EXIT WHEN deleted >= batch;
    END LOOP;
    PERFORM set_config('work_suite.audit_retention', '', true);
    RETURN deleted;
  END $$`;
