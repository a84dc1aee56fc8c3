import type { MigrationInterface, QueryRunner } from 'typeorm';

const MOST = '9007199254740991';

/** Journal entries. Posted entries never change; only the purge of test rows deletes some. */
export class AccountingLedger1764200000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createEntries(queryRunner);
    await createLines(queryRunner);
    await createGuards(queryRunner);
    await createBalanceCheck(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE accounting_journal_lines, accounting_journal_entries');
    await queryRunner.query(
      'DROP FUNCTION accounting_check_balance, accounting_check_lines, accounting_open_period_only, accounting_keep_posted',
    );
  }
}

async function createEntries(queryRunner: QueryRunner): Promise<void> {
  const table = 'accounting_journal_entries';
  await queryRunner.query(`
      CREATE TABLE ${table} (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ${table}_mode_check CHECK (mode IN ('live', 'test')),
        number text NOT NULL,
        "on" date NOT NULL,
        memo text NOT NULL CONSTRAINT ${table}_memo_check CHECK (length(memo) BETWEEN 1 AND 500),
        currency text NOT NULL CONSTRAINT ${table}_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
        exchange_rate numeric(20,10) NOT NULL CONSTRAINT ${table}_exchange_rate_check CHECK (exchange_rate > 0),
        source_type text NOT NULL CONSTRAINT ${table}_source_type_check
          CHECK (source_type IN ('manual', 'invoice', 'credit_note', 'payment', 'credit', 'exchange_difference')),
        source_id uuid CONSTRAINT ${table}_source_id_check CHECK ((source_id IS NULL) = (source_type = 'manual')),
        reverses_id uuid CONSTRAINT ${table}_reverses_id_check CHECK (reverses_id <> id),
        external_id text CONSTRAINT ${table}_external_id_check CHECK (length(external_id) BETWEEN 1 AND 255),
        line_count smallint NOT NULL CONSTRAINT ${table}_line_count_check CHECK (line_count BETWEEN 2 AND 500),
        account_ids uuid[] NOT NULL,
        created_by jsonb NOT NULL,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT ${table}_reference_key UNIQUE (organization_id, project_id, mode, id),
        CONSTRAINT ${table}_number_key UNIQUE (project_id, mode, number),
        CONSTRAINT ${table}_reverses_id_key UNIQUE (reverses_id),
        CONSTRAINT ${table}_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id),
        CONSTRAINT ${table}_reverses_id_fkey FOREIGN KEY (organization_id, project_id, mode, reverses_id)
          REFERENCES ${table} (organization_id, project_id, mode, id)
      )`);
  await queryRunner.query(
    `CREATE UNIQUE INDEX ${table}_external_id_key ON ${table} (project_id, mode, external_id) WHERE external_id IS NOT NULL`,
  );
  for (const column of ['created_at', '"on"'])
    await queryRunner.query(
      `CREATE INDEX ${table}_${column.replaceAll('"', '')}_idx ON ${table} (organization_id, mode, ${column}, id, project_id)`,
    );
  await queryRunner.query(`CREATE INDEX ${table}_source_id_idx ON ${table} (source_id, created_at, id) WHERE source_id IS NOT NULL`);
  await queryRunner.query(`CREATE INDEX ${table}_account_ids_idx ON ${table} USING gin (account_ids)`);
}

async function createLines(queryRunner: QueryRunner): Promise<void> {
  const table = 'accounting_journal_lines';
  const amount = (name: string) => `${name} bigint NOT NULL CONSTRAINT ${table}_${name}_check CHECK (${name} BETWEEN 0 AND ${MOST})`;
  await queryRunner.query(`
      CREATE TABLE ${table} (
        entry_id uuid NOT NULL,
        position smallint NOT NULL CONSTRAINT ${table}_position_check CHECK (position >= 1),
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        mode text NOT NULL,
        posted_on date NOT NULL,
        account_id uuid NOT NULL,
        ${amount('debit_amount')},
        ${amount('credit_amount')},
        ${amount('base_debit_amount')},
        ${amount('base_credit_amount')},
        memo text CONSTRAINT ${table}_memo_check CHECK (length(memo) BETWEEN 1 AND 500),
        PRIMARY KEY (entry_id, position),
        CONSTRAINT ${table}_side_check CHECK ((debit_amount = 0) <> (credit_amount = 0)
          AND (base_debit_amount = 0 OR debit_amount > 0) AND (base_credit_amount = 0 OR credit_amount > 0)),
        CONSTRAINT ${table}_entry_id_fkey FOREIGN KEY (organization_id, project_id, mode, entry_id)
          REFERENCES accounting_journal_entries (organization_id, project_id, mode, id) ON DELETE CASCADE,
        CONSTRAINT ${table}_account_id_fkey FOREIGN KEY (organization_id, project_id, account_id)
          REFERENCES accounting_accounts (organization_id, project_id, id)
      )`);
  // balances read this index alone; it also serves the foreign key of the account
  await queryRunner.query(
    `CREATE INDEX ${table}_account_id_idx ON ${table} (project_id, account_id, mode, posted_on)
       INCLUDE (base_debit_amount, base_credit_amount)`,
  );
}

async function createGuards(queryRunner: QueryRunner): Promise<void> {
  // the constraint names the field, the detail is meant for the caller
  await queryRunner.query(`
      CREATE FUNCTION accounting_keep_posted() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' THEN
          IF OLD.mode = 'test' THEN RETURN OLD; END IF;
        END IF;
        RAISE EXCEPTION '% of posted rows of %', TG_OP, TG_TABLE_NAME USING ERRCODE = '23514', CONSTRAINT = 'posted_check',
          DETAIL = 'What was posted never changes; post a reversal instead.';
      END $$`);
  for (const table of ['accounting_journal_entries', 'accounting_journal_lines']) {
    await queryRunner.query(
      `CREATE TRIGGER keep_posted BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION accounting_keep_posted()`,
    );
    await queryRunner.query(
      `CREATE TRIGGER keep_all BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION accounting_keep_posted()`,
    );
  }
  await queryRunner.query(`
      CREATE FUNCTION accounting_open_period_only() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF accounting_take_period(NEW.organization_id, NEW.project_id, NEW."on") = 'closed' THEN
          RAISE EXCEPTION 'closed period' USING ERRCODE = '23514', CONSTRAINT = 'on_check', DETAIL = 'The period is closed.';
        END IF;
        RETURN NEW;
      END $$`);
  await queryRunner.query(`
      CREATE TRIGGER open_period_only BEFORE INSERT ON accounting_journal_entries
      FOR EACH ROW EXECUTE FUNCTION accounting_open_period_only()`);
}

/** Since positions are unique and all of them must exist at the commit, no line can be added to an entry later. */
async function createBalanceCheck(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
      CREATE FUNCTION accounting_check_lines() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM added a JOIN accounting_journal_entries e ON e.id = a.entry_id
                   WHERE a.position > e.line_count OR a.posted_on <> e."on" OR a.account_id <> ALL (e.account_ids)) THEN
          RAISE EXCEPTION 'lines differ from their entry' USING ERRCODE = '23514', CONSTRAINT = 'lines_check',
            DETAIL = 'What was posted never changes; post a reversal instead.';
        END IF;
        RETURN NULL;
      END $$`);
  await queryRunner.query(`
      CREATE TRIGGER check_lines AFTER INSERT ON accounting_journal_lines REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION accounting_check_lines()`);
  await queryRunner.query(`
      CREATE FUNCTION accounting_check_balance() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        found_lines bigint;
        difference numeric;
        base_difference numeric;
      BEGIN
        SELECT count(*), sum(debit_amount - credit_amount), sum(base_debit_amount - base_credit_amount)
          INTO found_lines, difference, base_difference
          FROM accounting_journal_lines WHERE entry_id = NEW.id;
        IF found_lines <> NEW.line_count OR difference <> 0 OR base_difference <> 0 THEN
          RAISE EXCEPTION 'entry % is not balanced', NEW.id USING ERRCODE = '23514', CONSTRAINT = 'lines_check',
            DETAIL = 'The debits and credits of an entry must be equal, in its currency and in the base currency.';
        END IF;
        RETURN NULL;
      END $$`);
  await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER check_balance AFTER INSERT ON accounting_journal_entries
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION accounting_check_balance()`);
}
