import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions can be listed and ended one by one, and know when the member last proved who they are. */
export class PeopleSessionList1763800000070 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE sessions
        ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
        ADD COLUMN version integer NOT NULL DEFAULT 1,
        ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now(),
        ADD COLUMN confirmed_at timestamptz(3) NOT NULL DEFAULT now(),
        ADD COLUMN address text,
        ADD COLUMN user_agent text`);
    await queryRunner.query(`UPDATE sessions SET updated_at = created_at, confirmed_at = created_at`);
    await queryRunner.query(`
      ALTER TABLE sessions
        DROP CONSTRAINT sessions_pkey,
        ADD CONSTRAINT sessions_pkey PRIMARY KEY (id),
        ADD CONSTRAINT sessions_token_hash_key UNIQUE (token_hash),
        ALTER COLUMN id DROP DEFAULT,
        ALTER COLUMN confirmed_at DROP DEFAULT`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE sessions
        DROP CONSTRAINT sessions_pkey,
        DROP CONSTRAINT sessions_token_hash_key,
        ADD CONSTRAINT sessions_pkey PRIMARY KEY (token_hash),
        DROP COLUMN id,
        DROP COLUMN version,
        DROP COLUMN updated_at,
        DROP COLUMN confirmed_at,
        DROP COLUMN address,
        DROP COLUMN user_agent`);
  }
}
