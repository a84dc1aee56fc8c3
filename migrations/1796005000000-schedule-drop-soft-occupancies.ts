import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'schedule_occupancies';

/** What keeps people busy elsewhere is read from the events themselves, so that it does not matter which was set up first. */
export class ScheduleDropSoftOccupancies1796005000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await dropConstraints(queryRunner);
    await queryRunner.query(`DELETE FROM ${TABLE} WHERE soft`);
    await queryRunner.query(`ALTER TABLE ${TABLE} DROP COLUMN soft`);
    await createConstraints(queryRunner, 'exclusive');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropConstraints(queryRunner);
    await queryRunner.query(`ALTER TABLE ${TABLE} ADD COLUMN soft boolean NOT NULL DEFAULT false`);
    await createConstraints(queryRunner, 'exclusive AND NOT soft');
  }
}

async function dropConstraints(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`ALTER TABLE ${TABLE} DROP CONSTRAINT ${TABLE}_span_excl`);
  await queryRunner.query(`DROP INDEX ${TABLE}_shared_idx`);
}

/** With the index of the constraint, every row is in exactly one of the two. */
async function createConstraints(queryRunner: QueryRunner, exclusive: string): Promise<void> {
  await queryRunner.query(
    `ALTER TABLE ${TABLE} ADD CONSTRAINT ${TABLE}_span_excl
       EXCLUDE USING gist (resource_id WITH =, mode WITH =, span WITH &&) WHERE (${exclusive})`,
  );
  await queryRunner.query(`CREATE INDEX ${TABLE}_shared_idx ON ${TABLE} USING gist (resource_id, mode, span) WHERE (NOT (${exclusive}))`);
}
