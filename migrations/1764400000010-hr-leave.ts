import type { MigrationInterface, QueryRunner } from 'typeorm';

const HEAD = `
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,`;
const ROW = `
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()`;
const mode = (table: string) => `
        mode text NOT NULL CONSTRAINT ${table}_mode_check CHECK (mode IN ('live', 'test')),`;
const employeeKey = (table: string) => `
        CONSTRAINT ${table}_employee_id_fkey FOREIGN KEY (organization_id, project_id, mode, employee_id)
          REFERENCES hr_employees (organization_id, project_id, mode, id) ON DELETE CASCADE`;
const typeKey = (table: string) => `
        CONSTRAINT ${table}_leave_type_id_fkey FOREIGN KEY (organization_id, project_id, leave_type_id)
          REFERENCES hr_leave_types (organization_id, project_id, id)`;

/**
 * Leave types, requests, and the ledger of balances. What keys can see of a hidden type is decided here: rows of such a type are not in
 * `shown_leave_type_id` and not among the accounts with `shown`, so neither a filter nor its time tells that they exist.
 */
export class HrLeave1764400000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createTypes(queryRunner);
    await createRequests(queryRunner);
    await createAccounts(queryRunner);
    await createLedger(queryRunner);
    await createHiding(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE hr_leave_ledger, hr_leave_accounts, hr_leave_requests, hr_leave_types');
    await queryRunner.query('DROP FUNCTION hr_keep_ledger, hr_hide_leave, hr_show_request, hr_show_account');
  }
}

async function createTypes(queryRunner: QueryRunner): Promise<void> {
  const table = 'hr_leave_types';
  await queryRunner.query(`
      CREATE TABLE ${table} (${HEAD}
        project_id uuid CONSTRAINT ${table}_project_id_check CHECK (project_id IS NOT NULL),
        name text NOT NULL CONSTRAINT ${table}_name_check CHECK (length(name) BETWEEN 1 AND 100),
        paid boolean NOT NULL,
        days_per_year numeric(5,2) CONSTRAINT ${table}_days_per_year_check CHECK (days_per_year BETWEEN 0 AND 366),
        requires_approval boolean NOT NULL,
        allow_negative boolean NOT NULL,
        carry_over_days numeric(5,2) CONSTRAINT ${table}_carry_over_days_check CHECK (carry_over_days BETWEEN 0 AND 366),
        carry_over_expires text CONSTRAINT ${table}_carry_over_expires_check CHECK (carry_over_expires ~ '^[0-9]{2}-[0-9]{2}$'),
        hidden boolean NOT NULL,
        active boolean NOT NULL DEFAULT true,${ROW},
        CONSTRAINT ${table}_reference_key UNIQUE (organization_id, project_id, id),
        CONSTRAINT ${table}_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)
      )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_name_key ON ${table} (project_id, lower(name))`);
}

async function createRequests(queryRunner: QueryRunner): Promise<void> {
  const table = 'hr_leave_requests';
  await queryRunner.query(`
      CREATE TABLE ${table} (${HEAD}
        project_id uuid NOT NULL,${mode(table)}
        employee_id uuid NOT NULL,
        leave_type_id uuid NOT NULL,
        shown_leave_type_id uuid,
        starts_on date NOT NULL,
        ends_on date NOT NULL CONSTRAINT ${table}_ends_on_check CHECK (ends_on BETWEEN starts_on AND starts_on + 366),
        half_day text CONSTRAINT ${table}_half_day_check CHECK (half_day IN ('start', 'end')),
        half_days int8range NOT NULL CONSTRAINT ${table}_half_days_check CHECK (NOT isempty(half_days)),
        days numeric(6,2) NOT NULL CONSTRAINT ${table}_days_check CHECK (days >= 0),
        status text NOT NULL CONSTRAINT ${table}_status_check CHECK (status IN ('pending', 'approved', 'rejected', 'cancelled')),
        decided_at timestamptz(3),
        decided_by jsonb,
        sealed_reason text,
        sealed_note text,
        recompute boolean NOT NULL DEFAULT false,
        created_by jsonb NOT NULL,${ROW},
        CONSTRAINT ${table}_reference_key UNIQUE (organization_id, project_id, mode, id),
        CONSTRAINT ${table}_half_days_excl EXCLUDE USING gist (employee_id WITH =, half_days WITH &&)
          WHERE (status IN ('pending', 'approved')),${employeeKey(table)},${typeKey(table)}
      )`);
  const scope = 'organization_id, mode';
  for (const column of ['created_at', 'updated_at', 'starts_on'])
    await queryRunner.query(`CREATE INDEX ${table}_${column}_idx ON ${table} (${scope}, ${column}, id, project_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_status_idx ON ${table} (${scope}, status, starts_on, id, project_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_employee_id_idx ON ${table} (employee_id, starts_on, id)`);
  await queryRunner.query(
    `CREATE INDEX ${table}_shown_idx ON ${table} (shown_leave_type_id, mode, starts_on, id) WHERE shown_leave_type_id IS NOT NULL`,
  );
  await queryRunner.query(`CREATE INDEX ${table}_leave_type_id_idx ON ${table} (leave_type_id)`);
  // absences are listed by their end: those that matter follow the first day asked for, and hardly any other is between them
  await queryRunner.query(
    `CREATE INDEX ${table}_absences_idx ON ${table} (${scope}, ends_on, id, starts_on, project_id, employee_id) WHERE status = 'approved'`,
  );
  await queryRunner.query(
    `CREATE INDEX ${table}_project_absences_idx ON ${table} (project_id, mode, ends_on, id, starts_on) WHERE status = 'approved'`,
  );
  await queryRunner.query(`CREATE INDEX ${table}_recompute_idx ON ${table} (id) WHERE recompute`);
}

async function createAccounts(queryRunner: QueryRunner): Promise<void> {
  const table = 'hr_leave_accounts';
  await queryRunner.query(`
      CREATE TABLE ${table} (${HEAD}
        project_id uuid NOT NULL,${mode(table)}
        employee_id uuid NOT NULL,
        leave_type_id uuid NOT NULL,
        shown boolean NOT NULL,
        next_expiry_on date,${ROW},
        CONSTRAINT ${table}_reference_key UNIQUE (organization_id, project_id, mode, id),
        CONSTRAINT ${table}_employee_id_key UNIQUE (employee_id, leave_type_id),${employeeKey(table)},${typeKey(table)}
      )`);
  await queryRunner.query(`CREATE INDEX ${table}_leave_type_id_idx ON ${table} (leave_type_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_created_at_idx ON ${table} (organization_id, mode, created_at, id, project_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_updated_at_idx ON ${table} (organization_id, mode, updated_at, id, project_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_shown_idx ON ${table} (leave_type_id, mode, created_at, id) WHERE shown`);
  await queryRunner.query(`CREATE INDEX ${table}_next_expiry_on_idx ON ${table} (next_expiry_on) WHERE next_expiry_on IS NOT NULL`);
}

async function createLedger(queryRunner: QueryRunner): Promise<void> {
  const table = 'hr_leave_ledger';
  await queryRunner.query(`
      CREATE TABLE ${table} (${HEAD}
        project_id uuid NOT NULL,${mode(table)}
        account_id uuid NOT NULL,
        employee_id uuid NOT NULL,
        leave_type_id uuid NOT NULL,
        kind text NOT NULL CONSTRAINT ${table}_kind_check CHECK (kind IN ('grant', 'carry_over', 'use', 'expiry', 'adjustment')),
        "on" date NOT NULL,
        days numeric(7,2) NOT NULL CONSTRAINT ${table}_days_check CHECK (days <> 0),
        expires_on date CONSTRAINT ${table}_expires_on_check CHECK (expires_on >= "on" OR kind = 'expiry'),
        lot_on date CONSTRAINT ${table}_lot_on_check CHECK ((lot_on IS NOT NULL) = (kind = 'expiry')),
        request_id uuid CONSTRAINT ${table}_request_id_check CHECK ((request_id IS NOT NULL) = (kind = 'use')),
        automatic boolean NOT NULL,
        note text CONSTRAINT ${table}_note_check CHECK (length(note) BETWEEN 1 AND 1000),
        created_by jsonb NOT NULL,${ROW},
        CONSTRAINT ${table}_account_id_fkey FOREIGN KEY (organization_id, project_id, mode, account_id)
          REFERENCES hr_leave_accounts (organization_id, project_id, mode, id) ON DELETE CASCADE
      )`);
  await queryRunner.query(`CREATE INDEX ${table}_account_id_idx ON ${table} (account_id, "on", id)`);
  await queryRunner.query(`CREATE INDEX ${table}_employee_id_idx ON ${table} (employee_id, created_at, id)`);
  await queryRunner.query(`CREATE INDEX ${table}_request_id_idx ON ${table} (request_id) WHERE request_id IS NOT NULL`);
  await queryRunner.query(`CREATE INDEX ${table}_created_at_idx ON ${table} (organization_id, mode, created_at, id, project_id)`);
  await queryRunner.query(`
      CREATE FUNCTION hr_keep_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' AND OLD.mode = 'test' THEN
          RETURN OLD;
        END IF;
        RAISE EXCEPTION 'entries of the ledger are never changed: correct entry % by another one', OLD.id;
      END $$`);
  await queryRunner.query(`
      CREATE TRIGGER hr_leave_ledger_keep BEFORE UPDATE OR DELETE ON hr_leave_ledger
      FOR EACH ROW EXECUTE FUNCTION hr_keep_ledger()`);
}

/** The lock on the type keeps a request that is written just now from missing that its type is hidden. */
async function createHiding(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
      CREATE FUNCTION hr_show_request() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.shown_leave_type_id :=
          (SELECT CASE WHEN hidden THEN NULL ELSE id END FROM hr_leave_types WHERE id = NEW.leave_type_id FOR SHARE);
        RETURN NEW;
      END $$`);
  await queryRunner.query(`
      CREATE TRIGGER hr_leave_requests_show BEFORE INSERT OR UPDATE OF leave_type_id ON hr_leave_requests
      FOR EACH ROW EXECUTE FUNCTION hr_show_request()`);
  await queryRunner.query(`
      CREATE FUNCTION hr_show_account() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.shown := (SELECT NOT hidden FROM hr_leave_types WHERE id = NEW.leave_type_id FOR SHARE);
        RETURN NEW;
      END $$`);
  await queryRunner.query(`
      CREATE TRIGGER hr_leave_accounts_show BEFORE INSERT ON hr_leave_accounts FOR EACH ROW EXECUTE FUNCTION hr_show_account()`);
  await queryRunner.query(`
      CREATE FUNCTION hr_hide_leave() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE hr_leave_requests SET shown_leave_type_id = CASE WHEN NEW.hidden THEN NULL ELSE NEW.id END WHERE leave_type_id = NEW.id;
        UPDATE hr_leave_accounts SET shown = NOT NEW.hidden WHERE leave_type_id = NEW.id;
        RETURN NEW;
      END $$`);
  await queryRunner.query(`
      CREATE TRIGGER hr_leave_types_hide AFTER UPDATE OF hidden ON hr_leave_types
      FOR EACH ROW WHEN (OLD.hidden <> NEW.hidden) EXECUTE FUNCTION hr_hide_leave()`);
}
