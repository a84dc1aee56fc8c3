import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Contents of files, to which the rows of modules refer. */
export class PlatformObjects1798863200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE objects (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL CONSTRAINT objects_organization_id_fkey REFERENCES organizations (id),
        sha256 text NOT NULL,
        size integer NOT NULL CONSTRAINT objects_size_check CHECK (size >= 0),
        bytes bytea,
        location text,
        key text,
        collect_at timestamptz(3) DEFAULT now(),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT objects_reference_key UNIQUE (organization_id, id),
        CONSTRAINT objects_sha256_key UNIQUE (organization_id, sha256),
        CONSTRAINT objects_place_check CHECK ((location IS NULL) = (key IS NULL) AND (bytes IS NOT NULL OR key IS NOT NULL))
      )`);
    // PDFs and pictures are compressed already, and parts of a value can be read without reading all of it
    await queryRunner.query('ALTER TABLE objects ALTER COLUMN bytes SET STORAGE EXTERNAL');
    await queryRunner.query('CREATE INDEX objects_collect_at_idx ON objects (collect_at) WHERE collect_at IS NOT NULL');
    await queryRunner.query('CREATE INDEX objects_to_move_idx ON objects (id) WHERE bytes IS NOT NULL');
    await queryRunner.query(`
      CREATE TABLE object_removals (
        location text NOT NULL,
        key text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (location, key)
      )`);
    await queryRunner.query('CREATE INDEX object_removals_created_at_idx ON object_removals (created_at)');
    // whoever deletes the row: a storage must not keep what nothing knows of
    await queryRunner.query(`
      CREATE FUNCTION note_object_removal() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO object_removals (location, key) VALUES (OLD.location, OLD.key);
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER objects_note_deletion AFTER DELETE ON objects
      FOR EACH ROW WHEN (OLD.key IS NOT NULL) EXECUTE FUNCTION note_object_removal()`);
    await queryRunner.query(`
      CREATE TRIGGER objects_note_move AFTER UPDATE OF key ON objects
      FOR EACH ROW WHEN (OLD.key IS NOT NULL AND OLD.key IS DISTINCT FROM NEW.key) EXECUTE FUNCTION note_object_removal()`);
    await queryRunner.query(`
      CREATE FUNCTION keep_objects() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (NEW.id, NEW.organization_id, NEW.sha256, NEW.size) IS DISTINCT FROM (OLD.id, OLD.organization_id, OLD.sha256, OLD.size)
          OR encode(sha256(NEW.bytes), 'hex') <> NEW.sha256 THEN
          RAISE EXCEPTION 'objects never change';
        END IF;
        RETURN NEW;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER objects_keep_values BEFORE UPDATE OF id, organization_id, sha256, size, bytes ON objects
      FOR EACH ROW EXECUTE FUNCTION keep_objects()`);
    // for the tables that refer to objects: the argument is the column
    await queryRunner.query(`
      CREATE FUNCTION note_object_release() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        released uuid;
      BEGIN
        EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) INTO released USING OLD;
        UPDATE objects SET collect_at = now() WHERE organization_id = OLD.organization_id AND id = released;
        RETURN NULL;
      END $$`);
    // The foreign keys decide whether something refers to an object. A new reference locks it, so one that begins meanwhile waits.
    await queryRunner.query(`
      CREATE FUNCTION collect_objects(before timestamptz, most integer) RETURNS integer LANGUAGE plpgsql AS $$
      DECLARE
        candidate uuid;
        looked integer := 0;
      BEGIN
        FOR candidate IN
          SELECT o.id FROM objects o WHERE o.collect_at <= before ORDER BY o.collect_at LIMIT most FOR UPDATE SKIP LOCKED
        LOOP
          looked := looked + 1;
          BEGIN
            DELETE FROM objects WHERE id = candidate;
          EXCEPTION WHEN foreign_key_violation THEN
            UPDATE objects SET collect_at = NULL WHERE id = candidate;
          END;
        END LOOP;
        RETURN looked;
      END $$`);
    // During an upgrade, processes of the version before read files of the rows themselves: new ones write there until then.
    await queryRunner.query('ALTER TABLE installation ADD COLUMN objects_from timestamptz(3)');
    await queryRunner.query(`
      INSERT INTO installation (objects_from) SELECT now() + interval '1 day' WHERE EXISTS (SELECT FROM organizations)
      ON CONFLICT (is_only) DO UPDATE SET objects_from = excluded.objects_from`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE installation DROP COLUMN objects_from');
    await queryRunner.query('DROP TABLE object_removals');
    await queryRunner.query('DROP TABLE objects');
    await queryRunner.query('DROP FUNCTION collect_objects, note_object_release, note_object_removal, keep_objects');
  }
}
