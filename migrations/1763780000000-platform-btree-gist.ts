import type { MigrationInterface, QueryRunner } from 'typeorm';

/** SQLSTATE: insufficient_privilege; feature_not_supported and undefined_file if the extension is not installed on the server. */
const FORBIDDEN = '42501';
const NOT_INSTALLED = ['0A000', '58P01'];

/** The extension through which exclusion constraints compare ids beside time ranges. */
export class PlatformBtreeGist1763780000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // a failed statement ends the transaction, so this cannot be asked afterwards
    const [where] = (await queryRunner.query('SELECT current_user AS role, current_database() AS database')) as Connected[];
    try {
      await queryRunner.query('CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public');
    } catch (error) {
      throw explained(error as Error & { code?: string }, where);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP EXTENSION IF EXISTS btree_gist');
  }
}

interface Connected {
  role: string;
  database: string;
}

function explained(error: Error & { code?: string }, { role, database }: Connected): Error {
  if (error.code === FORBIDDEN)
    return new Error(
      `The database user "${role}" may not create the extension btree_gist. Run one of these as a superuser in the database ` +
        `"${database}", then start again: CREATE EXTENSION btree_gist WITH SCHEMA public; or ` +
        `GRANT CREATE ON DATABASE "${database}" TO "${role}";`,
      { cause: error },
    );
  if (NOT_INSTALLED.includes(error.code ?? ''))
    return new Error(
      'The PostgreSQL server lacks the extension btree_gist. Install its contrib package (such as postgresql-contrib), then start again.',
      { cause: error },
    );
  return error;
}
