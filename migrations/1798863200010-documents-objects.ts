import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['document_files', 'document_renditions', 'document_type_files'];

/** PDFs are objects. `pdf` has those of rows from before, until they are moved; the version after the next one drops it. */
export class DocumentsObjects1798863200010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await queryRunner.query(`
        ALTER TABLE ${table} ALTER COLUMN pdf DROP NOT NULL, ADD COLUMN pdf_object_id uuid,
          ADD CONSTRAINT ${table}_pdf_object_id_fkey FOREIGN KEY (organization_id, pdf_object_id)
            REFERENCES objects (organization_id, id) NOT VALID`);
      await queryRunner.query(`
        CREATE TRIGGER ${table}_pdf_object_deleted AFTER DELETE ON ${table}
        FOR EACH ROW WHEN (OLD.pdf_object_id IS NOT NULL) EXECUTE FUNCTION note_object_release('pdf_object_id')`);
      await queryRunner.query(`
        CREATE TRIGGER ${table}_pdf_object_replaced AFTER UPDATE OF pdf_object_id ON ${table}
        FOR EACH ROW WHEN (OLD.pdf_object_id IS NOT NULL AND OLD.pdf_object_id IS DISTINCT FROM NEW.pdf_object_id)
        EXECUTE FUNCTION note_object_release('pdf_object_id')`);
    }
    await queryRunner.query(
      keepRenditions(
        `
        erased.pdf_object_id := NULL;
        IF NEW.pdf IS NULL THEN
          erased.pdf := NULL;
        END IF;`,
        `
        moved.pdf := NULL;
        moved.pdf_object_id := NEW.pdf_object_id;
        IF NEW IS NOT DISTINCT FROM moved AND OLD.pdf_object_id IS NULL AND EXISTS (
          SELECT FROM objects o
          WHERE o.organization_id = OLD.organization_id AND o.id = NEW.pdf_object_id AND o.sha256 = encode(sha256(OLD.pdf), 'hex')
        ) THEN
          RETURN NEW;
        END IF;`,
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE document_renditions DISABLE TRIGGER document_renditions_keep_values');
    for (const table of TABLES) {
      await queryRunner.query(`DROP TRIGGER ${table}_pdf_object_replaced ON ${table}`);
      await queryRunner.query(`DROP TRIGGER ${table}_pdf_object_deleted ON ${table}`);
      await queryRunner.query(`
        UPDATE ${table} t SET pdf = o.bytes FROM objects o WHERE o.organization_id = t.organization_id AND o.id = t.pdf_object_id`);
      // erased ones
      await queryRunner.query(`UPDATE ${table} SET pdf = '' WHERE pdf IS NULL AND pdf_object_id IS NULL`);
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN pdf_object_id, ALTER COLUMN pdf SET NOT NULL`);
    }
    await queryRunner.query('ALTER TABLE document_renditions ENABLE TRIGGER document_renditions_keep_values');
    await queryRunner.query(keepRenditions());
  }
}

/** Finalized files never change: they are only erased, or become objects with the same content. */
function keepRenditions(alsoErased = '', moved = ''): string {
  return `
      CREATE OR REPLACE FUNCTION keep_document_renditions() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        erased document_renditions := OLD;${
          moved &&
          `
        moved document_renditions := OLD;`
        }
      BEGIN${moved}
        erased.pdf := '';
        erased.html := '';${alsoErased}
        erased.fields := '[]';
        erased.version := NEW.version;
        erased.updated_at := NEW.updated_at;
        IF NEW IS DISTINCT FROM erased OR NOT EXISTS (SELECT FROM documents WHERE id = OLD.document_id AND erased_at IS NOT NULL) THEN
          RAISE EXCEPTION 'document_renditions is append-only';
        END IF;
        RETURN NEW;
      END $$`;
}
