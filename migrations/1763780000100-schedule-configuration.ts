import type { MigrationInterface, QueryRunner } from 'typeorm';

const head = (table: string) => `
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid CONSTRAINT ${table}_project_id_check CHECK (project_id IS NOT NULL),`;
const BASE = `
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()`;
const projectKey = (table: string) =>
  `CONSTRAINT ${table}_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)`;
const referenceKey = (table: string) => `CONSTRAINT ${table}_reference_key UNIQUE (organization_id, project_id, id)`;
const calendarKey = (table: string, onDelete = '') =>
  `CONSTRAINT ${table}_calendar_id_fkey FOREIGN KEY (organization_id, project_id, calendar_id)
          REFERENCES schedule_calendars (organization_id, project_id, id)${onDelete}`;

/** Calendars, event templates, resources, availability, booking pages and feeds. */
export class ScheduleConfiguration1763780000100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createSearchFunctions(queryRunner);
    await createTemplates(queryRunner);
    await createCalendars(queryRunner);
    await createResources(queryRunner);
    await createAvailabilities(queryRunner);
    await createBookingPages(queryRunner);
    await createFeeds(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `DROP TABLE schedule_feeds, schedule_booking_pages, schedule_availability_overrides, schedule_availabilities,
         schedule_resources, schedule_calendars, schedule_event_templates`,
    );
    await queryRunner.query('DROP FUNCTION set_schedule_calendar_search, schedule_search');
  }
}

/** The store tokenizes queries into letters and digits, so the search vector must split words at punctuation too. */
async function createSearchFunctions(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
      CREATE FUNCTION schedule_search(VARIADIC texts text[]) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT to_tsvector('simple'::regconfig, translate(array_to_string(texts, ' '), '-./:@_+&=?#%~\\|<>''"', repeat(' ', 19)))
      $$`);
  await queryRunner.query(`
      CREATE FUNCTION set_schedule_calendar_search() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.search := schedule_search(NEW.name);
        RETURN NEW;
      END $$`);
}

async function createTemplates(queryRunner: QueryRunner): Promise<void> {
  const table = 'schedule_event_templates';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head(table)}
        name text NOT NULL CONSTRAINT ${table}_name_check CHECK (length(name) BETWEEN 1 AND 100),
        is_default boolean NOT NULL DEFAULT false,
        core jsonb NOT NULL CONSTRAINT ${table}_core_check CHECK (jsonb_typeof(core) = 'object'),
        metadata_schema json NOT NULL
          CONSTRAINT ${table}_metadata_schema_check CHECK (jsonb_typeof(metadata_schema::jsonb) = 'object'),
        default_duration_minutes integer NOT NULL DEFAULT 60
          CONSTRAINT ${table}_default_duration_minutes_check CHECK (default_duration_minutes BETWEEN 1 AND 44640),
        reminder_minutes integer[] NOT NULL DEFAULT '{}'
          CONSTRAINT ${table}_reminder_minutes_check CHECK (cardinality(reminder_minutes) <= 5),${BASE},
        ${referenceKey(table)},
        ${projectKey(table)}
      )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_name_key ON ${table} (project_id, lower(name))`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_default_key ON ${table} (project_id) WHERE is_default`);
  for (const column of ['name', 'created_at'])
    await queryRunner.query(`CREATE INDEX ${table}_${column}_idx ON ${table} (organization_id, ${column}, id, project_id)`);
}

async function createCalendars(queryRunner: QueryRunner): Promise<void> {
  const table = 'schedule_calendars';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head(table)}
        name text NOT NULL CONSTRAINT ${table}_name_check CHECK (length(name) BETWEEN 1 AND 100),
        timezone text NOT NULL,
        status text NOT NULL DEFAULT 'active' CONSTRAINT ${table}_status_check CHECK (status IN ('active', 'inactive')),
        color text CONSTRAINT ${table}_color_check CHECK (color ~ '^#[0-9a-f]{6}$'),
        owner_member_id uuid,
        template_id uuid NOT NULL,
        conflict_policy text NOT NULL DEFAULT 'allow'
          CONSTRAINT ${table}_conflict_policy_check CHECK (conflict_policy IN ('allow', 'reject')),
        visibility text NOT NULL DEFAULT 'project' CONSTRAINT ${table}_visibility_check CHECK (visibility IN ('project', 'private')),
        share_guest_list boolean NOT NULL DEFAULT false,
        personal boolean NOT NULL DEFAULT false,
        search tsvector,${BASE},
        CONSTRAINT ${table}_owner_member_id_check CHECK (owner_member_id IS NOT NULL OR (visibility = 'project' AND NOT personal)),
        ${referenceKey(table)},
        ${projectKey(table)},
        CONSTRAINT ${table}_owner_member_id_fkey FOREIGN KEY (organization_id, owner_member_id) REFERENCES members (organization_id, id),
        CONSTRAINT ${table}_template_id_fkey FOREIGN KEY (organization_id, project_id, template_id)
          REFERENCES schedule_event_templates (organization_id, project_id, id)
      )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_name_key ON ${table} (project_id, lower(name)) WHERE NOT personal`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_personal_key ON ${table} (project_id, owner_member_id) WHERE personal`);
  for (const column of ['name', 'created_at'])
    await queryRunner.query(`CREATE INDEX ${table}_${column}_idx ON ${table} (organization_id, ${column}, id, project_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_template_id_idx ON ${table} (template_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_owner_member_id_idx ON ${table} (owner_member_id) WHERE owner_member_id IS NOT NULL`);
  await queryRunner.query(`
      CREATE TRIGGER set_search BEFORE INSERT OR UPDATE OF name ON ${table}
      FOR EACH ROW EXECUTE FUNCTION set_schedule_calendar_search()`);
}

async function createResources(queryRunner: QueryRunner): Promise<void> {
  const table = 'schedule_resources';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head(table)}
        calendar_id uuid NOT NULL,
        name text NOT NULL CONSTRAINT ${table}_name_check CHECK (length(name) BETWEEN 1 AND 100),
        kind text NOT NULL CONSTRAINT ${table}_kind_check CHECK (kind IN ('room', 'equipment', 'person', 'vehicle', 'other')),
        capacity integer NOT NULL DEFAULT 1 CONSTRAINT ${table}_capacity_check CHECK (capacity BETWEEN 1 AND 1000),
        seats integer CONSTRAINT ${table}_seats_check CHECK (seats BETWEEN 1 AND 100000),
        buffer_before_minutes integer NOT NULL DEFAULT 0
          CONSTRAINT ${table}_buffer_before_minutes_check CHECK (buffer_before_minutes BETWEEN 0 AND 1440),
        buffer_after_minutes integer NOT NULL DEFAULT 0
          CONSTRAINT ${table}_buffer_after_minutes_check CHECK (buffer_after_minutes BETWEEN 0 AND 1440),
        active boolean NOT NULL DEFAULT true,
        member_id uuid,${BASE},
        CONSTRAINT ${table}_member_id_check CHECK (member_id IS NULL OR kind = 'person'),
        ${referenceKey(table)},
        ${calendarKey(table)},
        CONSTRAINT ${table}_member_id_fkey FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id)
      )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_name_key ON ${table} (calendar_id, lower(name))`);
  for (const column of ['name', 'created_at'])
    await queryRunner.query(`CREATE INDEX ${table}_${column}_idx ON ${table} (calendar_id, ${column}, id)`);
  await queryRunner.query(`CREATE INDEX ${table}_member_id_idx ON ${table} (member_id, project_id) WHERE member_id IS NOT NULL`);
}

async function createAvailabilities(queryRunner: QueryRunner): Promise<void> {
  const table = 'schedule_availabilities';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head(table)}
        calendar_id uuid NOT NULL,
        resource_id uuid,
        rules jsonb NOT NULL CONSTRAINT ${table}_rules_check CHECK (jsonb_typeof(rules) = 'array'),
        slot_minutes integer NOT NULL DEFAULT 30 CONSTRAINT ${table}_slot_minutes_check CHECK (slot_minutes BETWEEN 5 AND 1440),
        buffer_before integer NOT NULL DEFAULT 0 CONSTRAINT ${table}_buffer_before_check CHECK (buffer_before BETWEEN 0 AND 1440),
        buffer_after integer NOT NULL DEFAULT 0 CONSTRAINT ${table}_buffer_after_check CHECK (buffer_after BETWEEN 0 AND 1440),
        min_notice_minutes integer NOT NULL DEFAULT 120
          CONSTRAINT ${table}_min_notice_minutes_check CHECK (min_notice_minutes BETWEEN 0 AND 525600),
        horizon_days integer NOT NULL DEFAULT 60 CONSTRAINT ${table}_horizon_days_check CHECK (horizon_days BETWEEN 1 AND 730),
        daily_limit integer CONSTRAINT ${table}_daily_limit_check CHECK (daily_limit BETWEEN 1 AND 1000),${BASE},
        ${referenceKey(table)},
        ${calendarKey(table, ' ON DELETE CASCADE')},
        CONSTRAINT ${table}_resource_id_fkey FOREIGN KEY (organization_id, project_id, resource_id)
          REFERENCES schedule_resources (organization_id, project_id, id) ON DELETE CASCADE
      )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_calendar_key ON ${table} (calendar_id) WHERE resource_id IS NULL`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_resource_key ON ${table} (resource_id) WHERE resource_id IS NOT NULL`);
  await queryRunner.query(`CREATE INDEX ${table}_calendar_id_idx ON ${table} (calendar_id)`);

  const overrides = 'schedule_availability_overrides';
  await queryRunner.query(`
      CREATE TABLE ${overrides} (${head(overrides)}
        availability_id uuid NOT NULL,
        "on" date NOT NULL,
        windows jsonb NOT NULL CONSTRAINT ${overrides}_windows_check CHECK (jsonb_typeof(windows) = 'array'),${BASE},
        CONSTRAINT ${overrides}_availability_id_fkey FOREIGN KEY (organization_id, project_id, availability_id)
          REFERENCES ${table} (organization_id, project_id, id) ON DELETE CASCADE
      )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${overrides}_on_key ON ${overrides} (availability_id, "on")`);
}

async function createBookingPages(queryRunner: QueryRunner): Promise<void> {
  const table = 'schedule_booking_pages';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head(table)}
        calendar_id uuid NOT NULL,
        slug text NOT NULL CONSTRAINT ${table}_slug_check CHECK (slug ~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$'),
        enabled boolean NOT NULL DEFAULT true,
        title text NOT NULL CONSTRAINT ${table}_title_check CHECK (length(title) BETWEEN 1 AND 255),
        text text CONSTRAINT ${table}_text_check CHECK (length(text) <= 5000),
        duration_minutes integer[] NOT NULL
          CONSTRAINT ${table}_duration_minutes_check CHECK (cardinality(duration_minutes) BETWEEN 1 AND 10),
        resource_mode text NOT NULL DEFAULT 'calendar'
          CONSTRAINT ${table}_resource_mode_check CHECK (resource_mode IN ('calendar', 'visitor_chooses', 'least_busy')),
        questions jsonb NOT NULL CONSTRAINT ${table}_questions_check CHECK (jsonb_typeof(questions) = 'array'),
        requires_confirmation boolean NOT NULL DEFAULT false,
        verify_email boolean NOT NULL DEFAULT false,
        change_notice_minutes integer NOT NULL DEFAULT 0
          CONSTRAINT ${table}_change_notice_minutes_check CHECK (change_notice_minutes BETWEEN 0 AND 525600),
        max_reschedules integer NOT NULL DEFAULT 3
          CONSTRAINT ${table}_max_reschedules_check CHECK (max_reschedules BETWEEN 0 AND 100),${BASE},
        ${referenceKey(table)},
        ${calendarKey(table)}
      )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_slug_key ON ${table} (slug)`);
  await queryRunner.query(`CREATE INDEX ${table}_created_at_idx ON ${table} (organization_id, created_at, id, project_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_calendar_id_idx ON ${table} (calendar_id, created_at, id)`);
}

async function createFeeds(queryRunner: QueryRunner): Promise<void> {
  const table = 'schedule_feeds';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head(table)}
        calendar_id uuid NOT NULL,
        name text NOT NULL CONSTRAINT ${table}_name_check CHECK (length(name) BETWEEN 1 AND 100),
        token_hash text NOT NULL,
        detail text NOT NULL DEFAULT 'full' CONSTRAINT ${table}_detail_check CHECK (detail IN ('full', 'busy')),${BASE},
        ${calendarKey(table, ' ON DELETE CASCADE')}
      )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_token_hash_key ON ${table} (token_hash)`);
  await queryRunner.query(`CREATE INDEX ${table}_calendar_id_idx ON ${table} (calendar_id, created_at, id)`);
}
