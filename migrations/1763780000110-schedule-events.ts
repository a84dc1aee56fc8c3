import type { MigrationInterface, QueryRunner } from 'typeorm';

const head = (table: string) => `
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ${table}_mode_check CHECK (mode IN ('live', 'test')),`;
const BASE = `
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()`;
const referenceKey = (table: string) => `CONSTRAINT ${table}_reference_key UNIQUE (organization_id, project_id, mode, id)`;
const configured = (table: string, column: string, to: string) =>
  `CONSTRAINT ${table}_${column}_fkey FOREIGN KEY (organization_id, project_id, ${column})
          REFERENCES ${to} (organization_id, project_id, id)`;
const recorded = (table: string, column: string, to: string, onDelete = ' ON DELETE CASCADE') =>
  `CONSTRAINT ${table}_${column}_fkey FOREIGN KEY (organization_id, project_id, mode, ${column})
          REFERENCES ${to} (organization_id, project_id, mode, id)${onDelete}`;

/** Events with their instances, the resources that these occupy, invitees, reminders, and bookings. */
export class ScheduleEvents1763780000110 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createEvents(queryRunner);
    await createInstances(queryRunner);
    await createOccupancies(queryRunner);
    await createInvitees(queryRunner);
    await createReminders(queryRunner);
    await createBookings(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `DROP TABLE schedule_bookings, schedule_reminders, schedule_invitees, schedule_occupancies, schedule_instances, schedule_events`,
    );
    await queryRunner.query('DROP FUNCTION set_schedule_event_search');
  }
}

async function createEvents(queryRunner: QueryRunner): Promise<void> {
  const table = 'schedule_events';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head(table)}
        calendar_id uuid NOT NULL,
        template_id uuid NOT NULL,
        title text NOT NULL CONSTRAINT ${table}_title_check CHECK (length(title) BETWEEN 1 AND 255),
        description text CONSTRAINT ${table}_description_check CHECK (length(description) <= 20000),
        location text CONSTRAINT ${table}_location_check CHECK (length(location) <= 500),
        start_at timestamptz(3) NOT NULL,
        end_at timestamptz(3) NOT NULL,
        timezone text NOT NULL,
        start_local text NOT NULL,
        wall_clock boolean NOT NULL,
        all_day boolean NOT NULL DEFAULT false,
        start_on date,
        end_on date,
        rrule text,
        exdates date[] NOT NULL DEFAULT '{}',
        status text NOT NULL DEFAULT 'confirmed'
          CONSTRAINT ${table}_status_check CHECK (status IN ('confirmed', 'tentative', 'cancelled')),
        show_as text NOT NULL DEFAULT 'busy' CONSTRAINT ${table}_show_as_check CHECK (show_as IN ('busy', 'free')),
        resource_ids uuid[] NOT NULL DEFAULT '{}' CONSTRAINT ${table}_resource_ids_check CHECK (cardinality(resource_ids) <= 20),
        metadata jsonb NOT NULL DEFAULT '{}' CONSTRAINT ${table}_metadata_check CHECK (jsonb_typeof(metadata) = 'object'),
        invitee_count integer NOT NULL DEFAULT 0,
        ical_uid text NOT NULL,
        sequence integer NOT NULL DEFAULT 0 CONSTRAINT ${table}_sequence_check CHECK (sequence >= 0),
        organizer jsonb,
        split_from uuid,
        created_by jsonb NOT NULL,
        search tsvector,${BASE},
        CONSTRAINT ${table}_end_at_check CHECK (end_at > start_at),
        CONSTRAINT ${table}_end_on_check CHECK (end_on > start_on),
        CONSTRAINT ${table}_start_on_check CHECK (all_day = (start_on IS NOT NULL) AND all_day = (end_on IS NOT NULL)),
        CONSTRAINT ${table}_exdates_check CHECK (cardinality(exdates) <= 366 AND (rrule IS NOT NULL OR cardinality(exdates) = 0)),
        CONSTRAINT ${table}_wall_clock_check CHECK (wall_clock OR (rrule IS NULL AND NOT all_day)),
        ${referenceKey(table)},
        ${configured(table, 'calendar_id', 'schedule_calendars')},
        ${configured(table, 'template_id', 'schedule_event_templates')}
      )`);
  for (const column of ['updated_at', 'start_at'])
    await queryRunner.query(`CREATE INDEX ${table}_${column}_idx ON ${table} (calendar_id, mode, ${column}, id)`);
  await queryRunner.query(`CREATE INDEX ${table}_template_id_idx ON ${table} (template_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_wall_clock_idx ON ${table} (timezone, id) WHERE wall_clock`);
  await queryRunner.query(`
      CREATE FUNCTION set_schedule_event_search() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.search := schedule_search(NEW.title, NEW.location);
        RETURN NEW;
      END $$`);
  await queryRunner.query(`
      CREATE TRIGGER set_search BEFORE INSERT OR UPDATE OF title, location ON ${table}
      FOR EACH ROW EXECUTE FUNCTION set_schedule_event_search()`);
}

async function createInstances(queryRunner: QueryRunner): Promise<void> {
  const table = 'schedule_instances';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head(table)}
        event_id uuid NOT NULL,
        calendar_id uuid NOT NULL,
        original_start_at timestamptz(3) NOT NULL,
        original_start_local text NOT NULL,
        start_at timestamptz(3) NOT NULL,
        end_at timestamptz(3) NOT NULL,
        start_local text NOT NULL,
        end_on date,
        status text NOT NULL CONSTRAINT ${table}_status_check CHECK (status IN ('confirmed', 'tentative', 'cancelled')),
        busy boolean NOT NULL,
        resource_ids uuid[] NOT NULL DEFAULT '{}',
        overrides jsonb NOT NULL DEFAULT '{}' CONSTRAINT ${table}_overrides_check CHECK (jsonb_typeof(overrides) = 'object'),
        search tsvector,${BASE},
        CONSTRAINT ${table}_end_at_check CHECK (end_at > start_at),
        CONSTRAINT ${table}_original_start_at_key UNIQUE (event_id, original_start_at),
        ${referenceKey(table)},
        ${recorded(table, 'event_id', 'schedule_events')}
      )`);
  await queryRunner.query(`CREATE INDEX ${table}_start_at_idx ON ${table} (calendar_id, mode, start_at, id)`);
  // by what a point or a span overlaps; calendars have few events that are much longer than others
  await queryRunner.query(`CREATE INDEX ${table}_span_idx ON ${table} USING gist (calendar_id, tstzrange(start_at, end_at))`);
}

async function createOccupancies(queryRunner: QueryRunner): Promise<void> {
  const table = 'schedule_occupancies';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head(table)}
        resource_id uuid NOT NULL,
        instance_id uuid NOT NULL,
        span tstzrange NOT NULL CONSTRAINT ${table}_span_check CHECK (NOT isempty(span)),
        exclusive boolean NOT NULL,
        soft boolean NOT NULL DEFAULT false,${BASE},
        ${configured(table, 'resource_id', 'schedule_resources')},
        ${recorded(table, 'instance_id', 'schedule_instances')},
        CONSTRAINT ${table}_span_excl EXCLUDE USING gist (resource_id WITH =, mode WITH =, span WITH &&) WHERE (exclusive AND NOT soft)
      )`);
  // with the index of the constraint, every row is in exactly one of the two
  await queryRunner.query(
    `CREATE INDEX ${table}_shared_idx ON ${table} USING gist (resource_id, mode, span) WHERE (NOT (exclusive AND NOT soft))`,
  );
  await queryRunner.query(`CREATE INDEX ${table}_instance_id_idx ON ${table} (instance_id)`);
}

async function createInvitees(queryRunner: QueryRunner): Promise<void> {
  const table = 'schedule_invitees';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head(table)}
        event_id uuid NOT NULL,
        email text NOT NULL,
        name text CONSTRAINT ${table}_name_check CHECK (length(name) <= 255),
        role text NOT NULL DEFAULT 'required' CONSTRAINT ${table}_role_check CHECK (role IN ('required', 'optional')),
        response text NOT NULL DEFAULT 'needs_action'
          CONSTRAINT ${table}_response_check CHECK (response IN ('needs_action', 'accepted', 'declined', 'tentative')),
        responded_at timestamptz(3),
        token_hash text,
        mail_id uuid,${BASE},
        ${recorded(table, 'event_id', 'schedule_events')}
      )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_email_key ON ${table} (event_id, lower(email))`);
  await queryRunner.query(`CREATE INDEX ${table}_event_id_idx ON ${table} (event_id, created_at, id)`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_token_hash_key ON ${table} (token_hash)`);
}

async function createReminders(queryRunner: QueryRunner): Promise<void> {
  const table = 'schedule_reminders';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head(table)}
        instance_id uuid NOT NULL,
        minutes integer NOT NULL CONSTRAINT ${table}_minutes_check CHECK (minutes BETWEEN 0 AND 40320),
        due_at timestamptz(3) NOT NULL,
        sent_at timestamptz(3),${BASE},
        CONSTRAINT ${table}_minutes_key UNIQUE (instance_id, minutes),
        ${recorded(table, 'instance_id', 'schedule_instances')}
      )`);
  await queryRunner.query(`CREATE INDEX ${table}_due_at_idx ON ${table} (due_at) WHERE sent_at IS NULL`);
}

async function createBookings(queryRunner: QueryRunner): Promise<void> {
  const table = 'schedule_bookings';
  await queryRunner.query(`
      CREATE TABLE ${table} (${head(table)}
        calendar_id uuid NOT NULL,
        page_id uuid NOT NULL,
        event_id uuid,
        resource_id uuid,
        guest_name text NOT NULL,
        guest_email text NOT NULL,
        guest_phone text,
        guest_timezone text NOT NULL,
        guest_notes text,
        answers jsonb NOT NULL DEFAULT '{}' CONSTRAINT ${table}_answers_check CHECK (jsonb_typeof(answers) = 'object'),
        start_at timestamptz(3) NOT NULL,
        end_at timestamptz(3) NOT NULL,
        status text NOT NULL
          CONSTRAINT ${table}_status_check CHECK (status IN ('pending', 'confirmed', 'rejected', 'cancelled', 'no_show')),
        form_token uuid NOT NULL,
        token_hash text NOT NULL,
        reschedule_count integer NOT NULL DEFAULT 0 CONSTRAINT ${table}_reschedule_count_check CHECK (reschedule_count >= 0),
        address text,${BASE},
        CONSTRAINT ${table}_end_at_check CHECK (end_at > start_at),
        CONSTRAINT ${table}_form_token_key UNIQUE (page_id, form_token),
        ${configured(table, 'calendar_id', 'schedule_calendars')},
        ${configured(table, 'page_id', 'schedule_booking_pages')},
        ${configured(table, 'resource_id', 'schedule_resources')},
        ${recorded(table, 'event_id', 'schedule_events', '')}
      )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_token_hash_key ON ${table} (token_hash)`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_event_id_key ON ${table} (event_id) WHERE event_id IS NOT NULL`);
  for (const column of ['start_at', 'created_at', 'updated_at'])
    await queryRunner.query(`CREATE INDEX ${table}_${column}_idx ON ${table} (organization_id, mode, ${column}, id, project_id)`);
  await queryRunner.query(`CREATE INDEX ${table}_calendar_id_idx ON ${table} (calendar_id, mode, start_at, id)`);
  await queryRunner.query(`CREATE INDEX ${table}_guest_email_idx ON ${table} (organization_id, mode, lower(guest_email), start_at, id)`);
  await queryRunner.query(`CREATE INDEX ${table}_pending_idx ON ${table} (created_at) WHERE status = 'pending'`);
  await queryRunner.query(`CREATE INDEX ${table}_resource_id_idx ON ${table} (resource_id, mode, start_at) WHERE resource_id IS NOT NULL`);
}
