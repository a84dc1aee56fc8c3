import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Members who decide for others while these are away. */
export class DocumentsSubstitutes1798700000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE approval_substitutes (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          member_id uuid NOT NULL,
          substitute_id uuid NOT NULL,
          starts_on date NOT NULL,
          ends_on date NOT NULL,
          created_by jsonb NOT NULL,
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT approval_substitutes_days_check CHECK (ends_on >= starts_on),
          CONSTRAINT approval_substitutes_other_check CHECK (member_id <> substitute_id),
          CONSTRAINT approval_substitutes_member_id_fkey FOREIGN KEY (organization_id, member_id)
            REFERENCES members (organization_id, id) ON DELETE CASCADE,
          CONSTRAINT approval_substitutes_substitute_id_fkey FOREIGN KEY (organization_id, substitute_id)
            REFERENCES members (organization_id, id) ON DELETE CASCADE,
          CONSTRAINT approval_substitutes_period_excl EXCLUDE USING gist (member_id WITH =, daterange(starts_on, ends_on, '[]') WITH &&)
      )`);
    await queryRunner.query(`CREATE INDEX approval_substitutes_created_at_idx ON approval_substitutes (organization_id, created_at, id)`);
    await queryRunner.query(`CREATE INDEX approval_substitutes_substitute_id_idx ON approval_substitutes (substitute_id, ends_on)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE approval_substitutes`);
  }
}
