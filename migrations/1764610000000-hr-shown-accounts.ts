import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Accounts of leave name their type in a column of its own unless it is hidden, as requests do. A filter by a hidden type reads no row, so
 * its time does not tell that the type exists.
 */
export class HrShownAccounts1764610000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE hr_leave_accounts ADD COLUMN shown_leave_type_id uuid');
    await queryRunner.query('UPDATE hr_leave_accounts SET shown_leave_type_id = leave_type_id WHERE shown');
    await queryRunner.query('ALTER TABLE hr_leave_accounts DROP COLUMN shown');
    await queryRunner.query(
      `CREATE INDEX hr_leave_accounts_shown_idx ON hr_leave_accounts (shown_leave_type_id, mode, created_at, id)
       WHERE shown_leave_type_id IS NOT NULL`,
    );
    await replaceFunctions(queryRunner, {
      atInsert: 'shown_leave_type_id := (SELECT CASE WHEN hidden THEN NULL ELSE id END',
      atChange: 'shown_leave_type_id = CASE WHEN NEW.hidden THEN NULL ELSE NEW.id END',
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE hr_leave_accounts ADD COLUMN shown boolean');
    await queryRunner.query('UPDATE hr_leave_accounts SET shown = shown_leave_type_id IS NOT NULL');
    await queryRunner.query('ALTER TABLE hr_leave_accounts ALTER COLUMN shown SET NOT NULL, DROP COLUMN shown_leave_type_id');
    await queryRunner.query(
      'CREATE INDEX hr_leave_accounts_shown_idx ON hr_leave_accounts (leave_type_id, mode, created_at, id) WHERE shown',
    );
    await replaceFunctions(queryRunner, { atInsert: 'shown := (SELECT NOT hidden', atChange: 'shown = NOT NEW.hidden' });
  }
}

async function replaceFunctions(queryRunner: QueryRunner, { atInsert, atChange }: { atInsert: string; atChange: string }): Promise<void> {
  await queryRunner.query(`
      CREATE OR REPLACE FUNCTION hr_show_account() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.${atInsert} FROM hr_leave_types WHERE id = NEW.leave_type_id FOR SHARE);
        RETURN NEW;
      END $$`);
  await queryRunner.query(`
      CREATE OR REPLACE FUNCTION hr_hide_leave() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE hr_leave_requests SET shown_leave_type_id = CASE WHEN NEW.hidden THEN NULL ELSE NEW.id END WHERE leave_type_id = NEW.id;
        UPDATE hr_leave_accounts SET ${atChange} WHERE leave_type_id = NEW.id;
        RETURN NEW;
      END $$`);
}
