import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Obligations that result from documents. */
export class DocumentsObligations1763740000040 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE obligations (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          project_id uuid NOT NULL,
          mode text NOT NULL CONSTRAINT obligations_mode_check CHECK (mode IN ('live', 'test')),
          document_id uuid NOT NULL,
          revision integer NOT NULL,
          rule_index integer,
          title text NOT NULL CONSTRAINT obligations_title_check CHECK (length(title) BETWEEN 1 AND 255),
          kind text NOT NULL CONSTRAINT obligations_kind_check
            CHECK (kind IN ('payment', 'delivery', 'renewal', 'notice', 'report', 'other')),
          responsible_side text NOT NULL CONSTRAINT obligations_side_check CHECK (responsible_side IN ('us', 'counterparty')),
          responsible_name text,
          responsible_email text,
          due_on date NOT NULL,
          recurrence text,
          series_id uuid NOT NULL,
          series_start_on date NOT NULL,
          occurrence integer NOT NULL DEFAULT 1,
          continued boolean NOT NULL DEFAULT false,
          status text NOT NULL DEFAULT 'pending'
            CONSTRAINT obligations_status_check CHECK (status IN ('pending', 'completed', 'waived', 'cancelled')),
          reminder_days integer[] NOT NULL DEFAULT '{}',
          remind_on date,
          source text NOT NULL CONSTRAINT obligations_source_check CHECK (source IN ('manual', 'rule', 'ai')),
          completed_at timestamptz(3),
          completed_by jsonb,
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT obligations_document_id_fkey FOREIGN KEY (organization_id, project_id, mode, document_id)
            REFERENCES documents (organization_id, project_id, mode, id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX obligations_occurrence_key ON obligations (series_id, occurrence)`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX obligations_rule_key
        ON obligations (document_id, revision, rule_index) WHERE rule_index IS NOT NULL AND occurrence = 1`,
    );
    await queryRunner.query(`CREATE INDEX obligations_document_id_idx ON obligations (document_id, due_on, id)`);
    for (const column of ['due_on', 'created_at', 'updated_at'])
      await queryRunner.query(`CREATE INDEX obligations_${column}_idx ON obligations (organization_id, mode, ${column}, id)`);
    await queryRunner.query(
      `CREATE INDEX obligations_responsible_email_idx ON obligations (organization_id, mode, responsible_email, due_on, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX obligations_remind_on_idx ON obligations (remind_on) WHERE status = 'pending' AND remind_on IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX obligations_continue_idx ON obligations (due_on) WHERE status = 'pending' AND recurrence IS NOT NULL AND NOT continued`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE obligations`);
  }
}
