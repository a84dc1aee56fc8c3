import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ledger of leave allows notes and authors to be erased, and nothing else: they tell who somebody was. */
export class HrErasableEntries1764610000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await keepLedger(
      queryRunner,
      `
        IF TG_OP = 'UPDATE' AND NEW.note IS NULL AND NEW.created_by ->> 'id' IS NULL AND NEW.created_by ->> 'email' IS NULL
          AND to_jsonb(NEW) - '{note,created_by}'::text[] = to_jsonb(OLD) - '{note,created_by}'::text[] THEN
          RETURN NEW;
        END IF;`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await keepLedger(queryRunner, '');
  }
}

async function keepLedger(queryRunner: QueryRunner, exception: string): Promise<void> {
  await queryRunner.query(`
      CREATE OR REPLACE FUNCTION hr_keep_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' AND OLD.mode = 'test' THEN
          RETURN OLD;
        END IF;${exception}
        RAISE EXCEPTION 'entries of the ledger are never changed: correct entry % by another one', OLD.id;
      END $$`);
}
