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
const projectKey = (table: string) =>
  `CONSTRAINT ${table}_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)`;

/** Holiday calendars, departments and employees; private data of employees is one sealed text in a table of its own. */
export class HrPeople1764400000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createCalendars(queryRunner);
    await createDepartments(queryRunner);
    await createEmployees(queryRunner);
    await createEmployeeIndexes(queryRunner);
    await createSearch(queryRunner);
    await createPrivateData(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE hr_departments DROP CONSTRAINT hr_departments_head_id_fkey');
    await queryRunner.query('DROP TABLE hr_employee_private_data, hr_employees, hr_departments, hr_holidays, hr_holiday_calendars');
    await queryRunner.query('DROP FUNCTION hr_set_employee_search');
  }
}

async function createCalendars(queryRunner: QueryRunner): Promise<void> {
  const table = 'hr_holiday_calendars';
  await queryRunner.query(`
      CREATE TABLE ${table} (${HEAD}
        project_id uuid CONSTRAINT ${table}_project_id_check CHECK (project_id IS NOT NULL),
        name text NOT NULL CONSTRAINT ${table}_name_check CHECK (length(name) BETWEEN 1 AND 100),${ROW},
        CONSTRAINT ${table}_reference_key UNIQUE (organization_id, project_id, id),
        ${projectKey(table)}
      )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_name_key ON ${table} (project_id, lower(name))`);
  await queryRunner.query(`
      CREATE TABLE hr_holidays (${HEAD}
        project_id uuid CONSTRAINT hr_holidays_project_id_check CHECK (project_id IS NOT NULL),
        calendar_id uuid NOT NULL,
        "on" date NOT NULL,
        name text NOT NULL CONSTRAINT hr_holidays_name_check CHECK (length(name) BETWEEN 1 AND 100),
        half_day boolean NOT NULL DEFAULT false,${ROW},
        CONSTRAINT hr_holidays_on_key UNIQUE (calendar_id, "on"),
        CONSTRAINT hr_holidays_calendar_id_fkey FOREIGN KEY (organization_id, project_id, calendar_id)
          REFERENCES ${table} (organization_id, project_id, id) ON DELETE CASCADE
      )`);
  await queryRunner.query('CREATE INDEX hr_holidays_on_idx ON hr_holidays (organization_id, "on", id, project_id)');
}

async function createDepartments(queryRunner: QueryRunner): Promise<void> {
  const table = 'hr_departments';
  await queryRunner.query(`
      CREATE TABLE ${table} (${HEAD}
        project_id uuid NOT NULL,${mode(table)}
        name text NOT NULL CONSTRAINT ${table}_name_check CHECK (length(name) BETWEEN 1 AND 100),
        parent_id uuid CONSTRAINT ${table}_parent_id_check CHECK (parent_id <> id),
        head_id uuid,
        head_project_id uuid,
        created_by jsonb NOT NULL,${ROW},
        CONSTRAINT ${table}_reference_key UNIQUE (organization_id, project_id, mode, id),
        CONSTRAINT ${table}_parent_id_fkey FOREIGN KEY (organization_id, project_id, mode, parent_id)
          REFERENCES ${table} (organization_id, project_id, mode, id),
        ${projectKey(table)}
      )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_name_key ON ${table} (project_id, mode, lower(name))`);
  await queryRunner.query(`CREATE INDEX ${table}_name_idx ON ${table} (organization_id, mode, name, id, project_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_parent_id_idx ON ${table} (parent_id) WHERE parent_id IS NOT NULL`);
  await queryRunner.query(`CREATE INDEX ${table}_head_id_idx ON ${table} (head_id) WHERE head_id IS NOT NULL`);
}

async function createEmployees(queryRunner: QueryRunner): Promise<void> {
  const table = 'hr_employees';
  await queryRunner.query(`
      CREATE TABLE ${table} (${HEAD}
        project_id uuid NOT NULL,${mode(table)}
        number text NOT NULL CONSTRAINT ${table}_number_check CHECK (length(number) BETWEEN 1 AND 32),
        name text NOT NULL CONSTRAINT ${table}_name_check CHECK (length(name) BETWEEN 1 AND 200),
        work_email text CONSTRAINT ${table}_work_email_check CHECK (length(work_email) BETWEEN 3 AND 254),
        work_phone text CONSTRAINT ${table}_work_phone_check CHECK (length(work_phone) BETWEEN 1 AND 40),
        department_id uuid,
        position text CONSTRAINT ${table}_position_check CHECK (length(position) BETWEEN 1 AND 100),
        manager_id uuid CONSTRAINT ${table}_manager_id_check CHECK (manager_id <> id),
        manager_project_id uuid
          CONSTRAINT ${table}_manager_project_id_check CHECK ((manager_project_id IS NULL) = (manager_id IS NULL)),
        member_id uuid,
        status text NOT NULL CONSTRAINT ${table}_status_check CHECK (status IN ('upcoming', 'active', 'left')),
        employment_type text NOT NULL CONSTRAINT ${table}_employment_type_check
          CHECK (employment_type IN ('full_time', 'part_time', 'contractor', 'intern', 'temporary')),
        hired_on date NOT NULL,
        left_on date CONSTRAINT ${table}_left_on_check CHECK (left_on >= hired_on),
        working_week smallint[] NOT NULL
          CONSTRAINT ${table}_working_week_check CHECK (cardinality(working_week) = 7 AND working_week <@ '{0,1,2}'),
        holiday_calendar_id uuid,
        anonymized_at timestamptz(3) CONSTRAINT ${table}_anonymized_at_check CHECK (anonymized_at IS NULL OR status = 'left'),
        created_by jsonb NOT NULL,
        search tsvector,${ROW},
        CONSTRAINT ${table}_reference_key UNIQUE (organization_id, project_id, mode, id),
        CONSTRAINT ${table}_number_key UNIQUE (organization_id, mode, number),
        CONSTRAINT ${table}_department_id_fkey FOREIGN KEY (organization_id, project_id, mode, department_id)
          REFERENCES hr_departments (organization_id, project_id, mode, id),
        CONSTRAINT ${table}_manager_id_fkey FOREIGN KEY (organization_id, manager_project_id, mode, manager_id)
          REFERENCES ${table} (organization_id, project_id, mode, id),
        CONSTRAINT ${table}_member_id_fkey FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id),
        CONSTRAINT ${table}_holiday_calendar_id_fkey FOREIGN KEY (organization_id, project_id, holiday_calendar_id)
          REFERENCES hr_holiday_calendars (organization_id, project_id, id),
        ${projectKey(table)}
      )`);
  // heads may come from other projects; with the head's own department the two refer to each other, so this key must not hold up a purge
  await queryRunner.query(
    `ALTER TABLE hr_departments ADD CONSTRAINT hr_departments_head_id_fkey
       FOREIGN KEY (head_id) REFERENCES ${table} (id) ON DELETE SET NULL`,
  );
}

async function createEmployeeIndexes(queryRunner: QueryRunner): Promise<void> {
  const table = 'hr_employees';
  const present = `WHERE status <> 'left'`;
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_member_id_key ON ${table} (organization_id, mode, member_id) ${present}`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_work_email_key ON ${table} (organization_id, mode, lower(work_email)) ${present}`);
  // lists leave out those who left unless asked for them
  for (const column of ['name', 'number', 'hired_on'])
    await queryRunner.query(
      `CREATE INDEX ${table}_${column}_idx ON ${table} (organization_id, mode, ${column}, id, project_id) ${present}`,
    );
  await queryRunner.query(`CREATE INDEX ${table}_status_idx ON ${table} (organization_id, mode, status, name, id, project_id)`);
  for (const column of ['created_at', 'updated_at'])
    await queryRunner.query(`CREATE INDEX ${table}_${column}_idx ON ${table} (organization_id, mode, ${column}, id, project_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_project_id_idx ON ${table} (project_id, mode, name, id) ${present}`);
  await queryRunner.query(`CREATE INDEX ${table}_department_id_idx ON ${table} (department_id, name, id) WHERE department_id IS NOT NULL`);
  await queryRunner.query(`CREATE INDEX ${table}_manager_id_idx ON ${table} (manager_id, name, id) WHERE manager_id IS NOT NULL`);
  await queryRunner.query(
    `CREATE INDEX ${table}_roots_idx ON ${table} (organization_id, mode, project_id) WHERE manager_project_id IS DISTINCT FROM project_id`,
  );
  await queryRunner.query(`CREATE INDEX ${table}_member_id_idx ON ${table} (member_id) WHERE member_id IS NOT NULL`);
  await queryRunner.query(`CREATE INDEX ${table}_work_email_idx ON ${table} (organization_id, mode, lower(work_email), name, id)`);
  await queryRunner.query(`CREATE INDEX ${table}_search_idx ON ${table} USING gin (search)`);
  // those whose status a day changes
  await queryRunner.query(`CREATE INDEX ${table}_upcoming_idx ON ${table} (hired_on) WHERE status = 'upcoming'`);
  await queryRunner.query(`CREATE INDEX ${table}_leaving_idx ON ${table} (left_on) WHERE status = 'active' AND left_on IS NOT NULL`);
  await queryRunner.query(`CREATE INDEX ${table}_holiday_calendar_id_idx ON ${table} (holiday_calendar_id)`);
}

async function createSearch(queryRunner: QueryRunner): Promise<void> {
  // the store splits what is searched for into letters and digits, so the search vector must split words at punctuation too
  await queryRunner.query(`
      CREATE FUNCTION hr_set_employee_search() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.search := to_tsvector('simple', translate(concat_ws(' ', NEW.name, NEW.number, NEW.work_email, NEW.position),
          '-./:@_+&=?#%~\\|<>''"', repeat(' ', 19)));
        RETURN NEW;
      END $$`);
  await queryRunner.query(`
      CREATE TRIGGER hr_employees_set_search BEFORE INSERT OR UPDATE OF name, number, work_email, position ON hr_employees
      FOR EACH ROW EXECUTE FUNCTION hr_set_employee_search()`);
}

async function createPrivateData(queryRunner: QueryRunner): Promise<void> {
  const table = 'hr_employee_private_data';
  await queryRunner.query(`
      CREATE TABLE ${table} (${HEAD}
        project_id uuid NOT NULL,${mode(table)}
        sealed text NOT NULL,${ROW},
        CONSTRAINT ${table}_id_fkey FOREIGN KEY (organization_id, project_id, mode, id)
          REFERENCES hr_employees (organization_id, project_id, mode, id) ON DELETE CASCADE
      )`);
}
