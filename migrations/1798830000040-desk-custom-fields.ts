import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A closed ticket keeps its custom fields, but loses the values of a field that is deleted for good. */
export class DeskCustomFields1798830000040 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE desk_tickets ADD COLUMN custom_fields jsonb NOT NULL DEFAULT '{}'
        CONSTRAINT desk_tickets_custom_fields_check CHECK (jsonb_typeof(custom_fields) = 'object')`);
    await keepClosed(queryRunner, ',custom_fields', ' OR NOT OLD.custom_fields @> NEW.custom_fields');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await keepClosed(queryRunner, '', '');
    await queryRunner.query('ALTER TABLE desk_tickets DROP COLUMN custom_fields');
  }
}

async function keepClosed(queryRunner: QueryRunner, free: string, refused: string): Promise<void> {
  await queryRunner.query(`
    CREATE OR REPLACE FUNCTION keep_closed_desk_ticket() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      free CONSTANT text[] := '{version,updated_at,satisfaction_score,satisfaction_comment,rating_due_at${free}}';
    BEGIN
      IF to_jsonb(NEW) - free IS DISTINCT FROM to_jsonb(OLD) - free${refused} THEN
        RAISE EXCEPTION 'a closed ticket is read-only' USING ERRCODE = 'check_violation', DETAIL = 'The ticket is closed.';
      END IF;
      RETURN NEW;
    END $$`);
}
