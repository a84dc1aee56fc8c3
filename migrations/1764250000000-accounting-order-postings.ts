import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the accounting did with the events of orders. */
export class AccountingOrderPostings1764250000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const table = 'accounting_order_postings';
    await queryRunner.query(`
      CREATE TABLE ${table} (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ${table}_mode_check CHECK (mode IN ('live', 'test')),
        event_id uuid NOT NULL,
        event_type text NOT NULL,
        order_id uuid NOT NULL,
        order_number text NOT NULL,
        status text NOT NULL CONSTRAINT ${table}_status_check CHECK (status IN ('done', 'waiting', 'failed')),
        error jsonb CONSTRAINT ${table}_error_check CHECK ((error IS NOT NULL) = (status = 'failed')),
        invoice_id uuid,
        parts jsonb NOT NULL DEFAULT '[]',
        payload jsonb NOT NULL,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT ${table}_event_id_key UNIQUE (event_id),
        CONSTRAINT ${table}_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id),
        CONSTRAINT ${table}_invoice_id_fkey FOREIGN KEY (organization_id, project_id, mode, invoice_id)
          REFERENCES accounting_invoices (organization_id, project_id, mode, id)
      )`);
    await queryRunner.query(`CREATE INDEX ${table}_created_at_idx ON ${table} (organization_id, mode, created_at, id, project_id)`);
    await queryRunner.query(`CREATE INDEX ${table}_order_id_idx ON ${table} (order_id)`);
    await queryRunner.query(`CREATE INDEX ${table}_invoice_id_idx ON ${table} (invoice_id) WHERE invoice_id IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE accounting_order_postings`);
  }
}
