import type { MigrationInterface, QueryRunner } from 'typeorm';

const MOST = '9007199254740991';
const head = `
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,`;
const mode = (table: string) => `
        mode text NOT NULL CONSTRAINT ${table}_mode_check CHECK (mode IN ('live', 'test')),`;
const BASE = `
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()`;
const reference = (table: string) => `CONSTRAINT ${table}_reference_key UNIQUE (organization_id, project_id, mode, id)`;
const key = (table: string, column: string, of: string, more = '') =>
  `CONSTRAINT ${table}_${column}_fkey FOREIGN KEY (organization_id, project_id, mode, ${column})
          REFERENCES ${of} (organization_id, project_id, mode, id)${more}`;
const amount = (table: string, name: string) =>
  `${name} bigint NOT NULL CONSTRAINT ${table}_${name}_check CHECK (${name} BETWEEN 0 AND ${MOST})`;

/** Customers, invoices, payments and what follows from them. */
export class AccountingInvoices1764200000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createCustomers(queryRunner);
    await createInvoices(queryRunner);
    await createInvoiceLines(queryRunner);
    await createPayments(queryRunner);
    await createAllocations(queryRunner);
    await createReminders(queryRunner);
    await createDifferences(queryRunner);
    await createSearch(queryRunner);
    await createGuards(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `DROP TABLE accounting_differences, accounting_reminders, accounting_allocations, accounting_payments, accounting_invoice_lines,
         accounting_invoices, accounting_customers`,
    );
    await queryRunner.query(
      `DROP FUNCTION accounting_keep_allocation, accounting_keep_payment, accounting_keep_invoice_lines, accounting_keep_issued,
         accounting_set_invoice_search, accounting_set_customer_search, accounting_search`,
    );
  }
}

async function listIndexes(queryRunner: QueryRunner, table: string): Promise<void> {
  for (const column of ['created_at', 'updated_at'])
    await queryRunner.query(`CREATE INDEX ${table}_${column}_idx ON ${table} (organization_id, mode, ${column}, id, project_id)`);
}

async function externalIdKey(queryRunner: QueryRunner, table: string): Promise<void> {
  await queryRunner.query(
    `CREATE UNIQUE INDEX ${table}_external_id_key ON ${table} (project_id, mode, external_id) WHERE external_id IS NOT NULL`,
  );
}

async function createCustomers(queryRunner: QueryRunner): Promise<void> {
  const table = 'accounting_customers';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head}${mode(table)}
        name text NOT NULL CONSTRAINT ${table}_name_check CHECK (length(name) BETWEEN 1 AND 255),
        email text CONSTRAINT ${table}_email_check CHECK (length(email) <= 254),
        tax_id_number text CONSTRAINT ${table}_tax_id_number_check CHECK (length(tax_id_number) BETWEEN 1 AND 50),
        address text CONSTRAINT ${table}_address_check CHECK (length(address) BETWEEN 1 AND 1000),
        currency text NOT NULL CONSTRAINT ${table}_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
        payment_terms_days integer NOT NULL
          CONSTRAINT ${table}_payment_terms_days_check CHECK (payment_terms_days BETWEEN 0 AND 365),
        contact_id uuid,
        external_id text CONSTRAINT ${table}_external_id_check CHECK (length(external_id) BETWEEN 1 AND 255),
        source_event_id uuid,
        created_by jsonb NOT NULL,
        search tsvector,${BASE},
        ${reference(table)},
        CONSTRAINT ${table}_source_event_id_key UNIQUE (source_event_id),
        CONSTRAINT ${table}_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id),
        ${key(table, 'contact_id', 'contacts')}
      )`);
  await listIndexes(queryRunner, table);
  await externalIdKey(queryRunner, table);
  await queryRunner.query(`CREATE INDEX ${table}_name_idx ON ${table} (organization_id, mode, name, id, project_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_contact_id_idx ON ${table} (contact_id) WHERE contact_id IS NOT NULL`);
  await queryRunner.query(
    `CREATE INDEX ${table}_email_idx ON ${table} (organization_id, mode, lower(email), created_at, id) WHERE email IS NOT NULL`,
  );
}

async function createInvoices(queryRunner: QueryRunner): Promise<void> {
  const table = 'accounting_invoices';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head}${mode(table)}
        type text NOT NULL CONSTRAINT ${table}_type_check CHECK (type IN ('invoice', 'credit_note')),
        customer_id uuid NOT NULL,
        number text,
        status text NOT NULL CONSTRAINT ${table}_status_check CHECK (status IN ('draft', 'issued', 'partially_paid', 'paid', 'void')),
        currency text NOT NULL CONSTRAINT ${table}_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
        exchange_rate numeric(20,10) NOT NULL CONSTRAINT ${table}_exchange_rate_check CHECK (exchange_rate > 0),
        issued_on date,
        due_on date CONSTRAINT ${table}_due_on_check CHECK (due_on >= issued_on),
        supply_on date,
        prices_include_tax boolean NOT NULL,
        memo text CONSTRAINT ${table}_memo_check CHECK (length(memo) BETWEEN 1 AND 2000),
        external_id text CONSTRAINT ${table}_external_id_check CHECK (length(external_id) BETWEEN 1 AND 255),
        credits_id uuid CONSTRAINT ${table}_credits_id_check CHECK ((credits_id IS NOT NULL) = (type = 'credit_note')),
        source_type text,
        source_id text CONSTRAINT ${table}_source_id_check CHECK ((source_id IS NULL) = (source_type IS NULL)),
        customer_snapshot jsonb NOT NULL,
        seller_snapshot jsonb,
        ${amount(table, 'net_amount')},
        ${amount(table, 'tax_amount')},
        gross_amount bigint NOT NULL
          CONSTRAINT ${table}_gross_amount_check CHECK (gross_amount = net_amount + tax_amount AND gross_amount <= ${MOST}),
        settled_amount bigint NOT NULL DEFAULT 0
          CONSTRAINT ${table}_settled_amount_check CHECK (settled_amount BETWEEN 0 AND gross_amount),
        ${amount(table, 'base_gross_amount')},
        base_settled_amount bigint NOT NULL DEFAULT 0
          CONSTRAINT ${table}_base_settled_amount_check CHECK (base_settled_amount BETWEEN 0 AND base_gross_amount),
        taxes jsonb NOT NULL CONSTRAINT ${table}_taxes_check CHECK (jsonb_typeof(taxes) = 'array'),
        reminders_sent integer NOT NULL DEFAULT 0,
        overdue_at timestamptz(3),
        closed_on date CONSTRAINT ${table}_closed_on_check CHECK ((closed_on IS NOT NULL) = (status IN ('paid', 'void'))),
        void_reason text,
        journal_entry_id uuid,
        created_by jsonb NOT NULL,
        search tsvector,${BASE},
        CONSTRAINT ${table}_number_check CHECK (status = 'void' OR (number IS NULL) = (status = 'draft')),
        CONSTRAINT ${table}_issued_on_check CHECK (status IN ('draft', 'void') OR (issued_on IS NOT NULL AND seller_snapshot IS NOT NULL)),
        CONSTRAINT ${table}_paid_check CHECK (status NOT IN ('issued', 'partially_paid', 'paid')
          OR status = CASE WHEN settled_amount = gross_amount THEN 'paid' WHEN settled_amount > 0 THEN 'partially_paid' ELSE 'issued' END),
        ${reference(table)},
        CONSTRAINT ${table}_number_key UNIQUE (project_id, mode, type, number),
        CONSTRAINT ${table}_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id),
        ${key(table, 'customer_id', 'accounting_customers')},
        ${key(table, 'credits_id', table)},
        ${key(table, 'journal_entry_id', 'accounting_journal_entries')}
      )`);
  await listIndexes(queryRunner, table);
  await externalIdKey(queryRunner, table);
  const scope = 'organization_id, mode';
  await queryRunner.query(`CREATE INDEX ${table}_due_on_asc_idx ON ${table} (${scope}, COALESCE(due_on, 'infinity'), id, project_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_due_on_desc_idx ON ${table} (${scope}, COALESCE(due_on, '-infinity'), id, project_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_status_idx ON ${table} (${scope}, status, created_at, id, project_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_customer_id_idx ON ${table} (customer_id, created_at, id)`);
  await queryRunner.query(`CREATE INDEX ${table}_credits_id_idx ON ${table} (credits_id) WHERE credits_id IS NOT NULL`);
  await queryRunner.query(`CREATE INDEX ${table}_journal_entry_id_idx ON ${table} (journal_entry_id) WHERE journal_entry_id IS NOT NULL`);
  await queryRunner.query(`CREATE INDEX ${table}_series_idx ON ${table} (project_id, mode, type, issued_on) WHERE number IS NOT NULL`);
  await queryRunner.query(
    `CREATE INDEX ${table}_open_idx ON ${table} (due_on, id) WHERE type = 'invoice' AND status IN ('issued', 'partially_paid')`,
  );
  await queryRunner.query(
    `CREATE INDEX ${table}_aged_idx ON ${table} (project_id, mode, COALESCE(closed_on, 'infinity'), issued_on) WHERE number IS NOT NULL`,
  );
}

async function createInvoiceLines(queryRunner: QueryRunner): Promise<void> {
  const table = 'accounting_invoice_lines';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head}
        mode text NOT NULL,
        invoice_id uuid NOT NULL,
        position smallint NOT NULL CONSTRAINT ${table}_position_check CHECK (position BETWEEN 1 AND 200),
        description text NOT NULL CONSTRAINT ${table}_description_check CHECK (length(description) BETWEEN 1 AND 500),
        quantity numeric(18,6) NOT NULL CONSTRAINT ${table}_quantity_check CHECK (quantity > 0),
        ${amount(table, 'unit_amount')},
        per_quantity numeric(18,6) NOT NULL CONSTRAINT ${table}_per_quantity_check CHECK (per_quantity > 0),
        discount_percent numeric(5,2) NOT NULL CONSTRAINT ${table}_discount_percent_check CHECK (discount_percent BETWEEN 0 AND 100),
        tax_id uuid NOT NULL,
        account_id uuid NOT NULL,
        ${amount(table, 'amount')},
        ${amount(table, 'net_amount')},
        credits_line_id uuid,
        CONSTRAINT ${table}_position_key UNIQUE (invoice_id, position),
        ${key(table, 'invoice_id', 'accounting_invoices', ' ON DELETE CASCADE')},
        CONSTRAINT ${table}_tax_id_fkey FOREIGN KEY (organization_id, project_id, tax_id)
          REFERENCES accounting_taxes (organization_id, project_id, id),
        CONSTRAINT ${table}_account_id_fkey FOREIGN KEY (organization_id, project_id, account_id)
          REFERENCES accounting_accounts (organization_id, project_id, id)
      )`);
  await queryRunner.query(`CREATE INDEX ${table}_tax_id_idx ON ${table} (tax_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_account_id_idx ON ${table} (account_id)`);
}

async function createPayments(queryRunner: QueryRunner): Promise<void> {
  const table = 'accounting_payments';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head}${mode(table)}
        customer_id uuid NOT NULL,
        invoice_id uuid NOT NULL,
        amount bigint NOT NULL CONSTRAINT ${table}_amount_check CHECK (amount BETWEEN 1 AND ${MOST}),
        currency text NOT NULL CONSTRAINT ${table}_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
        exchange_rate numeric(20,10) NOT NULL CONSTRAINT ${table}_exchange_rate_check CHECK (exchange_rate > 0),
        ${amount(table, 'base_amount')},
        paid_on date NOT NULL,
        method text NOT NULL CONSTRAINT ${table}_method_check
          CHECK (method IN ('bank_transfer', 'card', 'cash', 'direct_debit', 'check', 'other')),
        reference text CONSTRAINT ${table}_reference_check CHECK (length(reference) BETWEEN 1 AND 255),
        account_id uuid NOT NULL,
        unallocated_amount bigint NOT NULL
          CONSTRAINT ${table}_unallocated_amount_check CHECK (unallocated_amount BETWEEN 0 AND amount),
        base_unallocated_amount bigint NOT NULL
          CONSTRAINT ${table}_base_unallocated_amount_check CHECK (base_unallocated_amount BETWEEN 0 AND base_amount),
        reversed_at timestamptz(3) CONSTRAINT ${table}_reversed_at_check
          CHECK ((reversed_at IS NULL) = (reversal_reason IS NULL) AND (reversed_at IS NULL OR unallocated_amount = 0)),
        reversal_reason text,
        journal_entry_id uuid NOT NULL,
        created_by jsonb NOT NULL,${BASE},
        ${reference(table)},
        ${key(table, 'customer_id', 'accounting_customers')},
        ${key(table, 'invoice_id', 'accounting_invoices')},
        ${key(table, 'journal_entry_id', 'accounting_journal_entries')},
        CONSTRAINT ${table}_account_id_fkey FOREIGN KEY (organization_id, project_id, account_id)
          REFERENCES accounting_accounts (organization_id, project_id, id)
      )`);
  await listIndexes(queryRunner, table);
  await queryRunner.query(`CREATE INDEX ${table}_customer_id_idx ON ${table} (customer_id, created_at, id)`);
  for (const column of ['invoice_id', 'account_id', 'journal_entry_id'])
    await queryRunner.query(`CREATE INDEX ${table}_${column}_idx ON ${table} (${column})`);
  await queryRunner.query(
    `CREATE INDEX ${table}_reference_idx ON ${table} (organization_id, mode, reference, created_at, id) WHERE reference IS NOT NULL`,
  );
  await queryRunner.query(
    `CREATE INDEX ${table}_unallocated_idx ON ${table} (organization_id, mode, created_at, id, project_id) WHERE unallocated_amount > 0`,
  );
}

async function createAllocations(queryRunner: QueryRunner): Promise<void> {
  const table = 'accounting_allocations';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head}${mode(table)}
        invoice_id uuid NOT NULL,
        payment_id uuid,
        credit_note_id uuid,
        amount bigint NOT NULL CONSTRAINT ${table}_amount_check CHECK (amount BETWEEN 1 AND ${MOST}),
        ${amount(table, 'base_amount')},
        ${amount(table, 'base_credit_amount')},
        applied_on date NOT NULL,
        ended_on date,
        ended_at timestamptz(3) CONSTRAINT ${table}_ended_at_check CHECK ((ended_at IS NULL) = (ended_on IS NULL)),
        journal_entry_id uuid,
        exchange_entry_id uuid,${BASE},
        CONSTRAINT ${table}_source_check CHECK (num_nonnulls(payment_id, credit_note_id) = 1),
        ${key(table, 'invoice_id', 'accounting_invoices')},
        ${key(table, 'payment_id', 'accounting_payments')},
        ${key(table, 'credit_note_id', 'accounting_invoices')},
        ${key(table, 'journal_entry_id', 'accounting_journal_entries')},
        ${key(table, 'exchange_entry_id', 'accounting_journal_entries')}
      )`);
  await queryRunner.query(`CREATE INDEX ${table}_invoice_id_idx ON ${table} (invoice_id)`);
  for (const column of ['payment_id', 'credit_note_id', 'journal_entry_id', 'exchange_entry_id'])
    await queryRunner.query(`CREATE INDEX ${table}_${column}_idx ON ${table} (${column}) WHERE ${column} IS NOT NULL`);
}

async function createReminders(queryRunner: QueryRunner): Promise<void> {
  const table = 'accounting_reminders';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head}${mode(table)}
        invoice_id uuid NOT NULL,
        step integer NOT NULL CONSTRAINT ${table}_step_check CHECK (step BETWEEN 1 AND 10),
        mail_id uuid NOT NULL,${BASE},
        CONSTRAINT ${table}_step_key UNIQUE (invoice_id, step),
        ${key(table, 'invoice_id', 'accounting_invoices', ' ON DELETE CASCADE')}
      )`);
}

async function createDifferences(queryRunner: QueryRunner): Promise<void> {
  const table = 'accounting_differences';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head}${mode(table)}
        subject text NOT NULL CONSTRAINT ${table}_subject_check
          CHECK (subject IN ('account_balance', 'invoice_settled', 'payment_unallocated', 'entry_balance')),
        subject_id uuid NOT NULL,
        stored numeric NOT NULL,
        computed numeric NOT NULL,
        resolved_at timestamptz(3),${BASE},
        CONSTRAINT ${table}_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)
      )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_subject_key ON ${table} (subject_id, subject) WHERE resolved_at IS NULL`);
  await queryRunner.query(`CREATE INDEX ${table}_created_at_idx ON ${table} (organization_id, mode, created_at, id, project_id)`);
}

/** The store tokenizes queries into letters and digits, so the search vector must split words at punctuation too. */
async function createSearch(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
      CREATE FUNCTION accounting_search(VARIADIC texts text[]) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT to_tsvector('simple'::regconfig, translate(array_to_string(texts, ' '), '-./:@_+&=?#%~\\|<>''"', repeat(' ', 19)))
      $$`);
  const searches = {
    customer: { table: 'accounting_customers', columns: ['name', 'email', 'tax_id_number', 'external_id'] },
    invoice: { table: 'accounting_invoices', columns: ['number', 'memo', 'external_id', 'customer_snapshot'] },
  };
  for (const [name, { table, columns }] of Object.entries(searches)) {
    const texts = columns.map((column) => (column === 'customer_snapshot' ? `NEW.customer_snapshot->>'name'` : `NEW.${column}`));
    await queryRunner.query(`
      CREATE FUNCTION accounting_set_${name}_search() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.search := accounting_search(${texts.join(', ')});
        RETURN NEW;
      END $$`);
    await queryRunner.query(`CREATE INDEX ${table}_search_idx ON ${table} USING gin (search)`);
    await queryRunner.query(`
      CREATE TRIGGER a_set_search BEFORE INSERT OR UPDATE OF ${columns.join(', ')} ON ${table} FOR EACH ROW
      EXECUTE FUNCTION accounting_set_${name}_search()`);
  }
}

const ISSUED = `'What was issued never changes; correct it by a credit note.'`;

async function createGuards(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
      CREATE FUNCTION accounting_keep_issued() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        changing text[] := ARRAY['status', 'settled_amount', 'base_settled_amount', 'closed_on', 'overdue_at', 'reminders_sent',
          'void_reason', 'version', 'updated_at'];
      BEGIN
        IF OLD.status = 'draft' THEN RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END; END IF;
        IF TG_OP = 'DELETE' AND OLD.mode = 'test' THEN RETURN OLD; END IF;
        IF TG_OP = 'UPDATE' THEN
          IF NEW.status <> 'draft' AND (OLD.status <> 'void' OR NEW.status = 'void')
             AND to_jsonb(NEW) - changing = to_jsonb(OLD) - changing THEN RETURN NEW; END IF;
        END IF;
        RAISE EXCEPTION '% of an issued invoice', TG_OP USING ERRCODE = '23514', CONSTRAINT = 'issued_check', DETAIL = ${ISSUED};
      END $$`);
  await guard(queryRunner, 'accounting_invoices', 'accounting_keep_issued');
  await queryRunner.query(`
      CREATE FUNCTION accounting_keep_invoice_lines() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        invoice_status text;
        invoice_mode text;
      BEGIN
        IF TG_OP <> 'UPDATE' THEN
          SELECT status, mode INTO invoice_status, invoice_mode FROM accounting_invoices
            WHERE id = CASE TG_OP WHEN 'DELETE' THEN OLD.invoice_id ELSE NEW.invoice_id END FOR SHARE;
          -- a deleted invoice takes its lines along
          IF NOT FOUND OR invoice_status = 'draft' THEN RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END; END IF;
          IF TG_OP = 'DELETE' AND invoice_mode = 'test' THEN RETURN OLD; END IF;
        END IF;
        RAISE EXCEPTION '% of lines of an issued invoice', TG_OP USING ERRCODE = '23514', CONSTRAINT = 'lines_check', DETAIL = ${ISSUED};
      END $$`);
  await queryRunner.query(`
      CREATE TRIGGER keep_posted BEFORE INSERT OR UPDATE OR DELETE ON accounting_invoice_lines
      FOR EACH ROW EXECUTE FUNCTION accounting_keep_invoice_lines()`);
  await queryRunner.query(`
      CREATE FUNCTION accounting_keep_payment() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        changing text[] := ARRAY['unallocated_amount', 'base_unallocated_amount', 'reversed_at', 'reversal_reason',
          'version', 'updated_at'];
      BEGIN
        IF TG_OP = 'DELETE' AND OLD.mode = 'test' THEN RETURN OLD; END IF;
        IF TG_OP = 'UPDATE' THEN
          IF OLD.reversed_at IS NULL AND to_jsonb(NEW) - changing = to_jsonb(OLD) - changing THEN RETURN NEW; END IF;
        END IF;
        RAISE EXCEPTION '% of a payment', TG_OP USING ERRCODE = '23514', CONSTRAINT = 'posted_check',
          DETAIL = 'What was posted never changes; reverse the payment instead.';
      END $$`);
  await guard(queryRunner, 'accounting_payments', 'accounting_keep_payment');
  await queryRunner.query(`
      CREATE FUNCTION accounting_keep_allocation() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        changing text[] := ARRAY['ended_on', 'ended_at', 'version', 'updated_at'];
      BEGIN
        IF TG_OP = 'DELETE' AND OLD.mode = 'test' THEN RETURN OLD; END IF;
        IF TG_OP = 'UPDATE' THEN
          IF OLD.ended_at IS NULL AND to_jsonb(NEW) - changing = to_jsonb(OLD) - changing THEN RETURN NEW; END IF;
        END IF;
        RAISE EXCEPTION '% of an allocation', TG_OP USING ERRCODE = '23514', CONSTRAINT = 'posted_check',
          DETAIL = 'What was posted never changes; reverse the payment instead.';
      END $$`);
  await guard(queryRunner, 'accounting_allocations', 'accounting_keep_allocation');
  for (const table of ['accounting_invoices', 'accounting_invoice_lines', 'accounting_payments', 'accounting_allocations'])
    await queryRunner.query(
      `CREATE TRIGGER keep_all BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION accounting_keep_posted()`,
    );
}

async function guard(queryRunner: QueryRunner, table: string, name: string): Promise<void> {
  await queryRunner.query(`CREATE TRIGGER keep_posted BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`);
}
