import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The retention of the audit log deletes in the order of each chain. The function sets the permission to delete in its body: only a
 * superuser may declare a setting of ours on a function. 1798864200010 created it with such a setting before.
 */
export class PlatformAuditRetention1798865100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DELETE);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(EARLIER_DELETE);
  }
}

/**
 * Deletes entries of all organizations from the oldest on, and notes where the rest of each chain begins. Returns how many. An entry that
 * is not old keeps those after it: with a clock that was wrong for a while, nothing goes too early. Chains that a change has locked wait
 * for the next run, so that this waits for nobody, and nobody waits for more than a batch.
 */
const DELETE = `
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

const EARLIER_DELETE = `
  CREATE OR REPLACE FUNCTION delete_audit_entries(before_time timestamptz, batch integer) RETURNS integer LANGUAGE plpgsql AS $$
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
