import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Organizations are closed, and erased after a grace period. Triggers that keep rows let those of an organization go while it is being
 * erased, which `organization_erasures` notes, and not before its grace period is over.
 */
export class PlatformOrganizationClosures1798863000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE organizations
        ADD COLUMN closed_at timestamptz(3),
        ADD COLUMN erase_at timestamptz(3),
        ADD COLUMN closed_by jsonb,
        ADD CONSTRAINT organizations_erase_at_check CHECK ((closed_at IS NULL) = (erase_at IS NULL) AND closed_at <= erase_at)`);
    await queryRunner.query('CREATE INDEX organizations_closed_idx ON organizations (id) WHERE closed_at IS NOT NULL');
    // what remains of an organization; it outlives it, so nothing refers to it
    await queryRunner.query(`
      CREATE TABLE organization_erasures (
        id uuid PRIMARY KEY,
        closed_at timestamptz(3) NOT NULL,
        closed_by jsonb NOT NULL,
        erase_at timestamptz(3) NOT NULL,
        begun_at timestamptz(3) NOT NULL,
        erased_at timestamptz(3),
        deleted jsonb NOT NULL,
        last_audit_sequence bigint NOT NULL,
        last_audit_hash bytea NOT NULL,
        CONSTRAINT organization_erasures_begun_at_check CHECK (begun_at >= erase_at)
      )`);
    await queryRunner.query(`
      CREATE FUNCTION is_being_erased(organization uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
        SELECT EXISTS (SELECT FROM organization_erasures WHERE id = organization AND erased_at IS NULL)
      $$`);
    await queryRunner.query(changeKeepers(`regexp_replace(definition, '\\mBEGIN\\M', 'BEGIN' || exception)`));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(changeKeepers(`replace(definition, exception, '')`));
    await queryRunner.query('DROP FUNCTION is_being_erased');
    await queryRunner.query('DROP TABLE organization_erasures');
    await queryRunner.query('ALTER TABLE organizations DROP COLUMN closed_at, DROP COLUMN erase_at, DROP COLUMN closed_by');
  }
}

/** Changes the functions that refuse to delete rows, of all modules that run on the database, by SQL over their `definition`. */
function changeKeepers(changed: string): string {
  return `
    DO $do$
    DECLARE
      exception text := E'\\n IF TG_OP = ''DELETE'' THEN IF is_being_erased(OLD.organization_id) THEN RETURN OLD; END IF; END IF;';
      definition text;
    BEGIN
      FOR definition IN
        SELECT pg_get_functiondef(p.oid) FROM pg_proc p
        WHERE p.prosrc ~ 'RAISE EXCEPTION' AND p.oid IN (
          SELECT t.tgfoid FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
          WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal
            -- for each row that is deleted
            AND t.tgtype::integer & 9 = 9)
      LOOP
        EXECUTE ${changed};
      END LOOP;
    END $do$`;
}
