import type { MigrationInterface, QueryRunner } from 'typeorm';

const ROW = `
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now()`;
const head = (table: string) => `
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      project_id uuid NOT NULL,
      mode text NOT NULL CONSTRAINT ${table}_mode_check CHECK (mode IN ('live', 'test')),`;
const referenceKey = (table: string) => `,
      CONSTRAINT ${table}_reference_key UNIQUE (organization_id, project_id, mode, id)`;
/** `column` refers to a row of configuration, of both modes. */
const configured = (table: string, column: string, referenced: string) => `,
      CONSTRAINT ${table}_${column}_fkey FOREIGN KEY (organization_id, project_id, ${column})
        REFERENCES ${referenced} (organization_id, project_id, id)`;
const business = (table: string, column: string, referenced: string, action = '') => `,
      CONSTRAINT ${table}_${column}_fkey FOREIGN KEY (organization_id, project_id, mode, ${column})
        REFERENCES ${referenced} (organization_id, project_id, mode, id) ${action}`;

/** Requesters, tickets, messages, attachments, SLA breaches, ratings, and the mails in and out. */
export class DeskTickets1764300000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createTickets(queryRunner);
    await createTicketIndexes(queryRunner);
    await createTicketTriggers(queryRunner);
    await createMessages(queryRunner);
    await createOutcomes(queryRunner);
    await createMails(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `DROP TABLE desk_outbound_mails, desk_inbound_mails, desk_ratings, desk_breaches, desk_attachments, desk_messages, desk_tickets,
         desk_requesters`,
    );
    await queryRunner.query(
      `DROP FUNCTION keep_desk_row, keep_desk_message, refuse_desk_message, set_desk_ticket_search, keep_closed_desk_ticket`,
    );
  }
}

async function createTickets(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE desk_requesters (${head('desk_requesters')}
      email text NOT NULL CONSTRAINT desk_requesters_email_check CHECK (length(email) BETWEEN 3 AND 254),
      name text CONSTRAINT desk_requesters_name_check CHECK (length(name) BETWEEN 1 AND 255),
      contact_id uuid,${ROW},
      CONSTRAINT desk_requesters_email_key UNIQUE (project_id, mode, email),
      CONSTRAINT desk_requesters_project_id_fkey FOREIGN KEY (organization_id, project_id)
        REFERENCES projects (organization_id, id)${referenceKey('desk_requesters')}
    )`);
  const table = 'desk_tickets';
  await queryRunner.query(`
    CREATE TABLE ${table} (${head(table)}
      number text NOT NULL,
      subject text NOT NULL CONSTRAINT ${table}_subject_check CHECK (length(subject) BETWEEN 1 AND 255),
      requester_id uuid NOT NULL,
      requester_email text NOT NULL,
      requester_name text,
      contact_id uuid,
      cc_emails text[] NOT NULL DEFAULT '{}',
      queue_id uuid NOT NULL,
      assignee_id uuid,
      status_id uuid NOT NULL,
      status_category text NOT NULL CONSTRAINT ${table}_status_category_check
        CHECK (status_category IN ('new', 'open', 'pending', 'on_hold', 'solved', 'closed')),
      priority integer NOT NULL CONSTRAINT ${table}_priority_check CHECK (priority BETWEEN 0 AND 3),
      tags text[] NOT NULL DEFAULT '{}',
      channel text NOT NULL CONSTRAINT ${table}_channel_check CHECK (channel IN ('api', 'mail', 'form', 'screen')),
      snoozed_until_at timestamptz(3),
      external_id text CONSTRAINT ${table}_external_id_check CHECK (length(external_id) BETWEEN 1 AND 255),
      sla_policy_id uuid,
      business_hours_id uuid,
      clocks jsonb NOT NULL DEFAULT '{}' CONSTRAINT ${table}_clocks_check CHECK (jsonb_typeof(clocks) = 'object'),
      sla_due_at timestamptz(3),
      breach_due_at timestamptz(3),
      first_answered_at timestamptz(3),
      waiting_since_at timestamptz(3),
      follow_up_of_id uuid,
      merged_into_id uuid,
      satisfaction_score integer CONSTRAINT ${table}_satisfaction_score_check CHECK (satisfaction_score BETWEEN 1 AND 5),
      satisfaction_comment text CONSTRAINT ${table}_satisfaction_comment_check CHECK (length(satisfaction_comment) <= 5000),
      solved_at timestamptz(3),
      closed_at timestamptz(3),
      close_due_at timestamptz(3),
      rating_due_at timestamptz(3),
      created_by jsonb NOT NULL,
      search tsvector,${ROW},
      CONSTRAINT ${table}_assignee_id_check CHECK (status_category <> 'solved' OR assignee_id IS NOT NULL),
      CONSTRAINT ${table}_closed_at_check CHECK ((status_category = 'closed') = (closed_at IS NOT NULL)),
      CONSTRAINT ${table}_close_due_at_check CHECK (close_due_at IS NULL OR status_category = 'solved'),
      CONSTRAINT ${table}_merged_into_id_check CHECK (merged_into_id IS NULL OR (status_category = 'closed' AND merged_into_id <> id))
      ${referenceKey(table)}${business(table, 'requester_id', 'desk_requesters')}${configured(table, 'queue_id', 'desk_queues')}
      ${configured(table, 'assignee_id', 'desk_agents')}${configured(table, 'status_id', 'desk_statuses')}
      ${configured(table, 'sla_policy_id', 'desk_sla_policies')}${business(table, 'follow_up_of_id', table)}
      ${business(table, 'merged_into_id', table)}
    ) WITH (fillfactor = 85)`);
}

async function createTicketIndexes(queryRunner: QueryRunner): Promise<void> {
  const table = 'desk_tickets';
  const index = (name: string, columns: string, where = '') =>
    queryRunner.query(`CREATE INDEX ${table}_${name}_idx ON ${table} (${columns}) ${where && `WHERE ${where}`}`);
  await queryRunner.query(`CREATE UNIQUE INDEX ${table}_number_key ON ${table} (project_id, mode, number)`);
  await queryRunner.query(
    `CREATE UNIQUE INDEX ${table}_external_id_key ON ${table} (project_id, mode, external_id) WHERE external_id IS NOT NULL`,
  );
  await index('number', 'organization_id, mode, number');
  // one index per sort of list_tickets; a trailing project column serves lists across projects and filters in the index
  for (const column of ['created_at', 'updated_at', 'priority']) await index(column, `organization_id, mode, ${column}, id, project_id`);
  await index('sla_due_at', `organization_id, mode, (COALESCE(sla_due_at, 'infinity')), id, project_id`);
  await index('sla_due_at_desc', `organization_id, mode, (COALESCE(sla_due_at, '-infinity')) DESC, id DESC, project_id`);
  // what is left to do is a small part of all tickets
  const unsolved = `status_category IN ('new', 'open', 'pending', 'on_hold')`;
  await index('unsolved_due_at', `organization_id, mode, (COALESCE(sla_due_at, 'infinity')), id, project_id`, unsolved);
  await index('unsolved_created_at', 'organization_id, mode, created_at, id, project_id', unsolved);
  await index('unsolved_priority', 'organization_id, mode, priority, id, project_id', unsolved);
  for (const column of ['status_category', 'requester_email']) await index(column, `organization_id, mode, ${column}, created_at, id`);
  await index('status_id', 'status_id, mode, created_at, id');
  await index('queue_id', 'queue_id, mode, created_at, id');
  for (const column of ['assignee_id', 'sla_policy_id']) await index(column, `${column}, mode, created_at, id`, `${column} IS NOT NULL`);
  await index('external_id', 'organization_id, mode, external_id, id', 'external_id IS NOT NULL');
  await index('requester_id', 'requester_id');
  await index('follow_up_of_id', 'follow_up_of_id', 'follow_up_of_id IS NOT NULL');
  await index('merged_into_id', 'merged_into_id', 'merged_into_id IS NOT NULL');
  for (const column of ['breach_due_at', 'close_due_at', 'rating_due_at', 'snoozed_until_at'])
    await index(column, column, `${column} IS NOT NULL`);
  await queryRunner.query(`CREATE INDEX ${table}_tags_idx ON ${table} USING gin (tags) WHERE tags <> '{}'`);
  await queryRunner.query(`CREATE INDEX ${table}_search_idx ON ${table} USING gin (search)`);
}

async function createTicketTriggers(queryRunner: QueryRunner): Promise<void> {
  // the store tokenizes q into letters and digits, so the search vector must split words at punctuation too
  await queryRunner.query(`
    CREATE FUNCTION set_desk_ticket_search() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.search := to_tsvector('simple'::regconfig, translate(
        concat_ws(' ', NEW.number, NEW.subject, NEW.requester_name, NEW.requester_email, NEW.external_id, array_to_string(NEW.tags, ' ')),
        '-./:@_+&=?#%~\\|<>''"', repeat(' ', 19)));
      RETURN NEW;
    END $$`);
  await queryRunner.query(`
    CREATE TRIGGER desk_tickets_set_search BEFORE INSERT OR UPDATE OF subject, external_id, tags ON desk_tickets
    FOR EACH ROW EXECUTE FUNCTION set_desk_ticket_search()`);
  await queryRunner.query(`
    CREATE FUNCTION keep_closed_desk_ticket() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      free CONSTANT text[] := '{version,updated_at,satisfaction_score,satisfaction_comment,rating_due_at}';
    BEGIN
      IF to_jsonb(NEW) - free IS DISTINCT FROM to_jsonb(OLD) - free THEN
        RAISE EXCEPTION 'a closed ticket is read-only' USING ERRCODE = 'check_violation', DETAIL = 'The ticket is closed.';
      END IF;
      RETURN NEW;
    END $$`);
  await queryRunner.query(`
    CREATE TRIGGER desk_tickets_keep_closed BEFORE UPDATE ON desk_tickets
    FOR EACH ROW WHEN (OLD.status_category = 'closed') EXECUTE FUNCTION keep_closed_desk_ticket()`);
}

async function createMessages(queryRunner: QueryRunner): Promise<void> {
  const table = 'desk_messages';
  await queryRunner.query(`
    CREATE TABLE ${table} (${head(table)}
      ticket_id uuid NOT NULL,
      original_ticket_id uuid,
      kind text NOT NULL CONSTRAINT ${table}_kind_check CHECK (kind IN ('public', 'internal', 'system')),
      author_type text NOT NULL CONSTRAINT ${table}_author_type_check CHECK (author_type IN ('requester', 'agent', 'system')),
      author_email text,
      author_name text,
      body text NOT NULL CONSTRAINT ${table}_body_check CHECK (length(body) BETWEEN 1 AND 100000),
      body_html text,
      mail_id uuid,
      created_by jsonb NOT NULL,${ROW}${referenceKey(table)}${business(table, 'ticket_id', 'desk_tickets', 'ON DELETE CASCADE')}
    )`);
  await queryRunner.query(`CREATE INDEX ${table}_ticket_id_idx ON ${table} (ticket_id, created_at, id)`);
  await queryRunner.query(`CREATE INDEX ${table}_mail_id_idx ON ${table} (mail_id) WHERE mail_id IS NOT NULL`);
  await queryRunner.query(`
    CREATE FUNCTION keep_desk_message() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      free CONSTANT text[] := '{version,updated_at,ticket_id,original_ticket_id,mail_id}';
    BEGIN
      IF to_jsonb(NEW) - free IS DISTINCT FROM to_jsonb(OLD) - free THEN
        RAISE EXCEPTION 'a message is never changed';
      END IF;
      RETURN NEW;
    END $$`);
  await queryRunner.query(`
    CREATE TRIGGER ${table}_keep_text BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION keep_desk_message()`);
  await queryRunner.query(`
    CREATE FUNCTION refuse_desk_message() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM desk_tickets WHERE id = NEW.ticket_id AND status_category = 'closed') THEN
        RAISE EXCEPTION 'a closed ticket is read-only' USING ERRCODE = 'check_violation', DETAIL = 'The ticket is closed.';
      END IF;
      RETURN NEW;
    END $$`);
  await queryRunner.query(`
    CREATE TRIGGER ${table}_refuse_closed BEFORE INSERT OR UPDATE OF ticket_id ON ${table}
    FOR EACH ROW EXECUTE FUNCTION refuse_desk_message()`);
  await queryRunner.query(`
    CREATE TABLE desk_attachments (${head('desk_attachments')}
      message_id uuid NOT NULL,
      file_name text NOT NULL CONSTRAINT desk_attachments_file_name_check CHECK (length(file_name) BETWEEN 1 AND 255),
      media_type text NOT NULL CONSTRAINT desk_attachments_media_type_check CHECK (length(media_type) BETWEEN 3 AND 255),
      size_bytes integer NOT NULL CONSTRAINT desk_attachments_size_bytes_check CHECK (size_bytes >= 0),
      content bytea NOT NULL,${ROW}${business('desk_attachments', 'message_id', 'desk_messages', 'ON DELETE CASCADE')}
    )`);
  await queryRunner.query(`CREATE INDEX desk_attachments_message_id_idx ON desk_attachments (message_id, id)`);
}

async function createOutcomes(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE desk_breaches (${head('desk_breaches')}
      ticket_id uuid NOT NULL,
      metric text NOT NULL CONSTRAINT desk_breaches_metric_check CHECK (metric IN ('first_response', 'next_response', 'resolution')),
      cycle integer NOT NULL CONSTRAINT desk_breaches_cycle_check CHECK (cycle > 0),
      due_at timestamptz(3) NOT NULL,${ROW},
      CONSTRAINT desk_breaches_metric_key UNIQUE (ticket_id, metric, cycle)${business(
        'desk_breaches',
        'ticket_id',
        'desk_tickets',
        'ON DELETE CASCADE',
      )}
    )`);
  await queryRunner.query(`
    CREATE TABLE desk_ratings (${head('desk_ratings')}
      ticket_id uuid NOT NULL,
      token_hash text NOT NULL,
      email text NOT NULL,
      score integer CONSTRAINT desk_ratings_score_check CHECK (score BETWEEN 1 AND 5),
      comment text CONSTRAINT desk_ratings_comment_check CHECK (length(comment) <= 5000),
      rated_at timestamptz(3),${ROW},
      CONSTRAINT desk_ratings_ticket_id_key UNIQUE (ticket_id),
      CONSTRAINT desk_ratings_token_hash_key UNIQUE (token_hash),
      CONSTRAINT desk_ratings_rated_at_check
        CHECK ((score IS NULL) = (rated_at IS NULL))${business('desk_ratings', 'ticket_id', 'desk_tickets', 'ON DELETE CASCADE')}
    )`);
  await queryRunner.query(`
    CREATE FUNCTION keep_desk_row() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME;
    END $$`);
  await queryRunner.query(`
    CREATE TRIGGER desk_breaches_keep_values BEFORE UPDATE ON desk_breaches FOR EACH ROW EXECUTE FUNCTION keep_desk_row()`);
  for (const table of ['desk_breaches', 'desk_messages'])
    await queryRunner.query(`
      CREATE TRIGGER ${table}_keep_rows BEFORE DELETE ON ${table}
      FOR EACH ROW WHEN (OLD.mode = 'live') EXECUTE FUNCTION keep_desk_row()`);
}

async function createMails(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE desk_inbound_mails (${head('desk_inbound_mails')}
      mailbox_id uuid NOT NULL,
      message_id text CONSTRAINT desk_inbound_mails_message_id_check CHECK (length(message_id) BETWEEN 1 AND 998),
      content bytea,
      status text NOT NULL DEFAULT 'received' CONSTRAINT desk_inbound_mails_status_check
        CHECK (status IN ('received', 'processed', 'filed', 'failed')),
      reason text,
      ticket_id uuid,
      ticket_message_id uuid,${ROW},
      CONSTRAINT desk_inbound_mails_message_id_key UNIQUE (mailbox_id, message_id)${configured(
        'desk_inbound_mails',
        'mailbox_id',
        'desk_mailboxes',
      )}${business('desk_inbound_mails', 'ticket_id', 'desk_tickets', 'ON DELETE CASCADE')}
    )`);
  await queryRunner.query(
    `CREATE INDEX desk_inbound_mails_created_at_idx ON desk_inbound_mails (organization_id, mode, created_at, id, project_id)`,
  );
  await queryRunner.query(`CREATE INDEX desk_inbound_mails_ticket_id_idx ON desk_inbound_mails (ticket_id) WHERE ticket_id IS NOT NULL`);
  await queryRunner.query(`
    CREATE TABLE desk_outbound_mails (${head('desk_outbound_mails')}
      ticket_id uuid NOT NULL,
      ticket_message_id uuid,
      kind text NOT NULL CONSTRAINT desk_outbound_mails_kind_check CHECK (kind IN ('reply', 'acknowledgement', 'rating')),
      recipient text NOT NULL CONSTRAINT desk_outbound_mails_recipient_check CHECK (length(recipient) BETWEEN 3 AND 254),
      message_id text NOT NULL CONSTRAINT desk_outbound_mails_message_id_check CHECK (length(message_id) BETWEEN 1 AND 998),
      mail_id uuid,${ROW}${business('desk_outbound_mails', 'ticket_id', 'desk_tickets', 'ON DELETE CASCADE')}
    )`);
  await queryRunner.query(`CREATE INDEX desk_outbound_mails_message_id_idx ON desk_outbound_mails (organization_id, mode, message_id)`);
  await queryRunner.query(`CREATE INDEX desk_outbound_mails_ticket_id_idx ON desk_outbound_mails (ticket_id, created_at, id)`);
}
