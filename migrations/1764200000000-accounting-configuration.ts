import type { MigrationInterface, QueryRunner } from 'typeorm';

const head = (table: string) => `
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid CONSTRAINT ${table}_project_id_check CHECK (project_id IS NOT NULL),`;
const BASE = `
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()`;
const keys = (table: string) => `
        CONSTRAINT ${table}_reference_key UNIQUE (organization_id, project_id, id),
        CONSTRAINT ${table}_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)`;

/** Settings, accounts, taxes and periods. */
export class AccountingConfiguration1764200000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // PostgreSQL 14 to 17 have no function for it
    await queryRunner.query(`
      CREATE FUNCTION accounting_uuidv7() RETURNS uuid LANGUAGE sql VOLATILE AS $$
        SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
          PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
          52, 1), 53, 1), 'hex')::uuid
      $$`);
    await createSettings(queryRunner);
    await createAccounts(queryRunner);
    await createTaxes(queryRunner);
    await createPeriods(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION accounting_take_period, accounting_uuidv7');
    await queryRunner.query(
      'DROP TABLE accounting_balances, accounting_periods, accounting_taxes, accounting_accounts, accounting_settings',
    );
  }
}

async function createSettings(queryRunner: QueryRunner): Promise<void> {
  const table = 'accounting_settings';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head(table)}
        currency text NOT NULL CONSTRAINT ${table}_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
        seller jsonb NOT NULL CONSTRAINT ${table}_seller_check CHECK (jsonb_typeof(seller) = 'object'),
        invoice_number_pattern text NOT NULL,
        credit_note_number_pattern text NOT NULL,
        dunning_steps jsonb NOT NULL CONSTRAINT ${table}_dunning_steps_check CHECK (jsonb_typeof(dunning_steps) = 'array'),
        order_invoicing text NOT NULL CONSTRAINT ${table}_order_invoicing_check CHECK (order_invoicing IN ('off', 'paid', 'fulfilled')),
        deal_customers boolean NOT NULL,${BASE},
        CONSTRAINT ${table}_project_id_key UNIQUE (project_id),
        CONSTRAINT ${table}_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)
      )`);
}

async function createAccounts(queryRunner: QueryRunner): Promise<void> {
  const table = 'accounting_accounts';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head(table)}
        code text NOT NULL CONSTRAINT ${table}_code_check CHECK (length(code) BETWEEN 1 AND 20),
        name text NOT NULL CONSTRAINT ${table}_name_check CHECK (length(name) BETWEEN 1 AND 100),
        type text NOT NULL CONSTRAINT ${table}_type_check CHECK (type IN ('asset', 'liability', 'equity', 'income', 'expense')),
        role text CONSTRAINT ${table}_role_check CHECK (role IN ('receivable', 'revenue', 'tax', 'bank', 'clearing', 'customer_credit',
          'exchange_gain', 'exchange_loss')),
        active boolean NOT NULL DEFAULT true,${BASE},${keys(table)}
      )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_code_key ON ${table} (project_id, code)`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_role_key ON ${table} (project_id, role) WHERE role IS NOT NULL`);
  for (const column of ['code', 'created_at'])
    await queryRunner.query(`CREATE INDEX ${table}_${column}_idx ON ${table} (organization_id, ${column}, id, project_id)`);
}

async function createTaxes(queryRunner: QueryRunner): Promise<void> {
  const table = 'accounting_taxes';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head(table)}
        code text NOT NULL CONSTRAINT ${table}_code_check CHECK (length(code) BETWEEN 1 AND 20),
        name text NOT NULL CONSTRAINT ${table}_name_check CHECK (length(name) BETWEEN 1 AND 100),
        rate numeric(7,4) NOT NULL CONSTRAINT ${table}_rate_check CHECK (rate BETWEEN 0 AND 100 AND (category = 'S') = (rate > 0)),
        category text NOT NULL CONSTRAINT ${table}_category_check CHECK (category IN ('S', 'Z', 'E', 'AE', 'K', 'G', 'O')),
        exemption_reason text CONSTRAINT ${table}_exemption_reason_check CHECK (length(exemption_reason) BETWEEN 1 AND 255),
        account_id uuid,
        active boolean NOT NULL DEFAULT true,${BASE},${keys(table)},
        CONSTRAINT ${table}_account_id_fkey FOREIGN KEY (organization_id, project_id, account_id)
          REFERENCES accounting_accounts (organization_id, project_id, id)
      )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_code_key ON ${table} (project_id, code)`);
  await queryRunner.query(`CREATE INDEX ${table}_account_id_idx ON ${table} (account_id) WHERE account_id IS NOT NULL`);
  for (const column of ['code', 'created_at'])
    await queryRunner.query(`CREATE INDEX ${table}_${column}_idx ON ${table} (organization_id, ${column}, id, project_id)`);
}

async function createPeriods(queryRunner: QueryRunner): Promise<void> {
  const table = 'accounting_periods';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head(table)}
        month date NOT NULL CONSTRAINT ${table}_month_check CHECK (extract(day FROM month) = 1),
        status text NOT NULL DEFAULT 'open' CONSTRAINT ${table}_status_check CHECK (status IN ('open', 'closed')),
        closed_at timestamptz(3) CONSTRAINT ${table}_closed_at_check CHECK ((closed_at IS NULL) = (status = 'open')),
        closed_by jsonb,${BASE},${keys(table)}
      )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_month_key ON ${table} (project_id, month)`);
  for (const column of ['month', 'created_at'])
    await queryRunner.query(`CREATE INDEX ${table}_${column}_idx ON ${table} (organization_id, ${column}, id, project_id)`);
  // what all live lines up to the end of a closed month add up to, in base currency; sums exceed bigint before amounts exceed 2^53
  await queryRunner.query(`
      CREATE TABLE accounting_balances (
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        month date NOT NULL,
        account_id uuid NOT NULL,
        debit_amount numeric(38,0) NOT NULL,
        credit_amount numeric(38,0) NOT NULL,
        PRIMARY KEY (project_id, month, account_id),
        CONSTRAINT accounting_balances_account_id_fkey FOREIGN KEY (organization_id, project_id, account_id)
          REFERENCES accounting_accounts (organization_id, project_id, id)
      )`);
  await queryRunner.query(`CREATE INDEX accounting_balances_account_id_idx ON accounting_balances (account_id)`);
  // The status of the month of a day, locked until the end of the transaction. A month exists from its first entry on; one before a
  // closed month counts as closed. The advisory lock is also that of closing.
  await queryRunner.query(`
      CREATE FUNCTION accounting_take_period(organization uuid, project uuid, day date) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        first date := date_trunc('month', day)::date;
        found_status text;
      BEGIN
        SELECT status INTO found_status FROM accounting_periods WHERE project_id = project AND month = first FOR SHARE;
        IF FOUND THEN RETURN found_status; END IF;
        PERFORM pg_advisory_xact_lock(hashtextextended('accounting periods ' || project, 0));
        IF EXISTS (SELECT 1 FROM accounting_periods WHERE project_id = project AND month > first AND status = 'closed') THEN
          RETURN 'closed';
        END IF;
        INSERT INTO accounting_periods (id, organization_id, project_id, month)
          VALUES (accounting_uuidv7(), organization, project, first) ON CONFLICT (project_id, month) DO NOTHING;
        SELECT status INTO found_status FROM accounting_periods WHERE project_id = project AND month = first FOR SHARE;
        RETURN found_status;
      END $$`);
}
