import type { MigrationInterface, QueryRunner } from 'typeorm';

const BASE = `
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()`;

const head = (table: string) => `
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ${table}_mode_check CHECK (mode IN ('live', 'test')),`;

const person = (table: string) => `
        full_name text NOT NULL CONSTRAINT ${table}_full_name_check CHECK (length(full_name) BETWEEN 1 AND 255),
        first_name text,
        last_name text,
        email text,
        email_normalized text,
        phone text,
        phone_normalized text,
        company_name text,
        job_title text,
        source_id uuid,
        owner_id uuid,
        custom_fields jsonb NOT NULL CONSTRAINT ${table}_custom_fields_check CHECK (jsonb_typeof(custom_fields) = 'object'),
        external_id text,
        consent jsonb NOT NULL CONSTRAINT ${table}_consent_check CHECK (jsonb_typeof(consent) = 'object'),`;

/** The keys of every business row here: a unique key for references to it, and foreign keys to its source and owner. */
const keys = (table: string) => `
        CONSTRAINT ${table}_reference_key UNIQUE (organization_id, project_id, mode, id),
        CONSTRAINT ${table}_source_id_fkey
          FOREIGN KEY (organization_id, project_id, source_id) REFERENCES lead_sources (organization_id, project_id, id),
        CONSTRAINT ${table}_owner_id_fkey FOREIGN KEY (organization_id, owner_id) REFERENCES members (organization_id, id)`;

/**
 * Leads, contacts, deals, the consent log. Foreign keys include every column that both rows must share, such as the kind of
 * the stage. Their last column is the one that the caller sends, so that errors can name the invalid field.
 */
export class CrmLeadsContactsDeals1763710000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE contacts (${head('contacts')}${person('contacts')}
        created_by jsonb NOT NULL,
        search tsvector,${BASE},${keys('contacts')}
      )`);
    await createListIndexes(queryRunner, 'contacts');
    await queryRunner.query(`CREATE INDEX contacts_full_name_idx ON contacts (organization_id, mode, full_name, id, project_id)`);
    await queryRunner.query(`CREATE INDEX contacts_owner_id_idx ON contacts (owner_id, mode, created_at, id) WHERE owner_id IS NOT NULL`);
    for (const column of ['email_normalized', 'phone_normalized', 'external_id']) {
      await queryRunner.query(
        `CREATE INDEX contacts_${column}_idx ON contacts (organization_id, mode, ${column}, id) WHERE ${column} IS NOT NULL`,
      );
    }

    await queryRunner.query(`
      CREATE TABLE deals (${head('deals')}
        title text NOT NULL CONSTRAINT deals_title_check CHECK (length(title) BETWEEN 1 AND 255),
        amount bigint NOT NULL CONSTRAINT deals_amount_check CHECK (amount BETWEEN 0 AND 9007199254740991),
        currency text NOT NULL CONSTRAINT deals_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
        pipeline_kind text NOT NULL DEFAULT 'deal' CONSTRAINT deals_pipeline_kind_check CHECK (pipeline_kind = 'deal'),
        pipeline_id uuid NOT NULL,
        stage_id uuid NOT NULL,
        status text NOT NULL,
        owner_id uuid,
        source_id uuid,
        contact_ids uuid[] NOT NULL DEFAULT '{}' CONSTRAINT deals_contact_ids_check CHECK (cardinality(contact_ids) <= 50),
        expected_close_on date,
        lost_reason text CONSTRAINT deals_lost_reason_check CHECK (lost_reason IS NULL OR (status = 'lost' AND length(lost_reason) <= 500)),
        closed_at timestamptz(3) CONSTRAINT deals_closed_at_check CHECK ((closed_at IS NOT NULL) = (status IN ('won', 'lost'))),
        custom_fields jsonb NOT NULL CONSTRAINT deals_custom_fields_check CHECK (jsonb_typeof(custom_fields) = 'object'),
        created_by jsonb NOT NULL,
        search tsvector,${BASE},${keys('deals')},
        CONSTRAINT deals_stage_id_fkey FOREIGN KEY (organization_id, project_id, pipeline_kind, pipeline_id, status, stage_id)
          REFERENCES crm_stages (organization_id, project_id, pipeline_kind, pipeline_id, kind, id)
      )`);
    await createListIndexes(queryRunner, 'deals');
    await queryRunner.query(`CREATE INDEX deals_amount_idx ON deals (organization_id, mode, amount, id, project_id)`);
    await queryRunner.query(
      `CREATE INDEX deals_expected_close_on_asc_idx
        ON deals (organization_id, mode, COALESCE(expected_close_on, 'infinity'), id, project_id)`,
    );
    await queryRunner.query(
      `CREATE INDEX deals_expected_close_on_desc_idx
        ON deals (organization_id, mode, COALESCE(expected_close_on, '-infinity'), id, project_id)`,
    );
    await queryRunner.query(`CREATE INDEX deals_stage_id_idx ON deals (stage_id, mode, created_at, id)`);
    await queryRunner.query(`CREATE INDEX deals_owner_id_idx ON deals (owner_id, mode, created_at, id) WHERE owner_id IS NOT NULL`);
    await queryRunner.query(`CREATE INDEX deals_contact_ids_idx ON deals USING gin (contact_ids)`);

    await queryRunner.query(`
      CREATE TABLE leads (${head('leads')}${person('leads')}
        pipeline_kind text NOT NULL DEFAULT 'lead' CONSTRAINT leads_pipeline_kind_check CHECK (pipeline_kind = 'lead'),
        pipeline_id uuid NOT NULL,
        status_id uuid NOT NULL,
        status_kind text NOT NULL,
        utm_source text,
        utm_campaign text,
        submission_count integer NOT NULL DEFAULT 1 CONSTRAINT leads_submission_count_check CHECK (submission_count >= 1),
        score integer NOT NULL DEFAULT 0 CONSTRAINT leads_score_check CHECK (score BETWEEN 0 AND 100),
        converted_at timestamptz(3),
        converted_contact_id uuid,
        converted_deal_id uuid,
        created_by jsonb NOT NULL,
        search tsvector,${BASE},${keys('leads')},
        CONSTRAINT leads_email_check CHECK (email IS NOT NULL OR phone IS NOT NULL),
        CONSTRAINT leads_converted_at_check
          CHECK ((converted_at IS NULL) = (converted_contact_id IS NULL) AND (converted_deal_id IS NULL OR converted_at IS NOT NULL)),
        CONSTRAINT leads_status_id_fkey FOREIGN KEY (organization_id, project_id, pipeline_kind, pipeline_id, status_kind, status_id)
          REFERENCES crm_stages (organization_id, project_id, pipeline_kind, pipeline_id, kind, id),
        CONSTRAINT leads_converted_contact_id_fkey FOREIGN KEY (organization_id, project_id, mode, converted_contact_id)
          REFERENCES contacts (organization_id, project_id, mode, id),
        CONSTRAINT leads_converted_deal_id_fkey FOREIGN KEY (organization_id, project_id, mode, converted_deal_id)
          REFERENCES deals (organization_id, project_id, mode, id)
      )`);
    await createListIndexes(queryRunner, 'leads');
    await queryRunner.query(`CREATE INDEX leads_score_idx ON leads (organization_id, mode, score, id, project_id)`);
    await queryRunner.query(`CREATE INDEX leads_status_id_idx ON leads (status_id, mode, created_at, id)`);
    await queryRunner.query(
      `CREATE INDEX leads_owner_id_idx ON leads (owner_id, mode, status_kind, created_at, id) WHERE owner_id IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX leads_converted_idx ON leads (organization_id, mode, created_at, id) WHERE converted_at IS NOT NULL`,
    );
    // ids increase with time, so the oldest of equal rows comes first
    for (const column of ['email_normalized', 'phone_normalized', 'external_id']) {
      await queryRunner.query(
        `CREATE INDEX leads_${column}_idx ON leads (organization_id, mode, ${column}, project_id, id) WHERE ${column} IS NOT NULL`,
      );
    }

    await createSearch(queryRunner);
    await createOwnerCheck(queryRunner);
    await createContactCheck(queryRunner);
    await createConversionGuard(queryRunner);
    await createConsentLog(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE consent_records, leads, deals, contacts`);
    await queryRunner.query(
      `DROP FUNCTION set_person_search, set_deal_search, check_crm_owner, check_deal_contacts, keep_lead_conversion, keep_consent_records`,
    );
  }
}

/** One index per sort of a list; a trailing project column serves lists across projects and filters in the index. */
async function createListIndexes(queryRunner: QueryRunner, table: string): Promise<void> {
  await queryRunner.query(`CREATE INDEX ${table}_created_at_idx ON ${table} (organization_id, mode, created_at, id)`);
  await queryRunner.query(`CREATE INDEX ${table}_project_created_at_idx ON ${table} (organization_id, mode, project_id, created_at, id)`);
  await queryRunner.query(`CREATE INDEX ${table}_updated_at_idx ON ${table} (organization_id, mode, updated_at, id, project_id)`);
}

/** The store tokenizes queries into letters and digits, so the search vector must split words at punctuation too. */
async function createSearch(queryRunner: QueryRunner): Promise<void> {
  const words = (columns: string) =>
    `to_tsvector('simple', translate(concat_ws(' ', ${columns}), '-./:@_+&=?#%~\\|<>''"', repeat(' ', 19)))`;
  const searches = [
    {
      name: 'set_person_search',
      tables: ['leads', 'contacts'],
      columns: ['full_name', 'email', 'phone', 'company_name', 'job_title', 'external_id'],
    },
    { name: 'set_deal_search', tables: ['deals'], columns: ['title'] },
  ];
  for (const { name, tables, columns } of searches) {
    await queryRunner.query(`
      CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.search := ${words(columns.map((column) => `NEW.${column}`).join(', '))};
        RETURN NEW;
      END $$`);
    for (const table of tables) {
      await queryRunner.query(`CREATE INDEX ${table}_search_idx ON ${table} USING gin (search)`);
      await queryRunner.query(
        `CREATE TRIGGER ${table}_set_search BEFORE INSERT OR UPDATE OF ${columns.join(', ')} ON ${table} FOR EACH ROW
          EXECUTE FUNCTION ${name}()`,
      );
    }
  }
}

/** New owners must be active; deactivated members keep what they own. The DETAIL becomes the caller's error message. */
async function createOwnerCheck(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE FUNCTION check_crm_owner() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT EXISTS (SELECT FROM members WHERE id = NEW.owner_id AND organization_id = NEW.organization_id AND status = 'active') THEN
        RAISE EXCEPTION 'unknown owner' USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME,
          CONSTRAINT = TG_TABLE_NAME || '_owner_id_check',
          DETAIL = 'owner_id must be an active member; use an id that list_crm_members returns';
      END IF;
      RETURN NEW;
    END $$`);
  for (const table of ['leads', 'contacts', 'deals']) {
    await queryRunner.query(`
      CREATE TRIGGER ${table}_check_owner_of_new BEFORE INSERT ON ${table}
      FOR EACH ROW WHEN (NEW.owner_id IS NOT NULL) EXECUTE FUNCTION check_crm_owner()`);
    await queryRunner.query(`
      CREATE TRIGGER ${table}_check_owner BEFORE UPDATE OF owner_id ON ${table}
      FOR EACH ROW WHEN (NEW.owner_id IS NOT NULL AND NEW.owner_id IS DISTINCT FROM OLD.owner_id) EXECUTE FUNCTION check_crm_owner()`);
  }
}

/** Replaces a foreign key, which an array cannot have. */
async function createContactCheck(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE FUNCTION check_deal_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      unknown_id uuid;
    BEGIN
      SELECT given.id INTO unknown_id FROM unnest(NEW.contact_ids) AS given (id)
      WHERE NOT EXISTS (SELECT FROM contacts c
        WHERE c.id = given.id AND c.organization_id = NEW.organization_id AND c.project_id = NEW.project_id AND c.mode = NEW.mode);
      IF unknown_id IS NOT NULL THEN
        RAISE EXCEPTION 'unknown contact' USING ERRCODE = 'check_violation', TABLE = 'deals', CONSTRAINT = 'deals_contact_ids_check',
          DETAIL = format('contact_ids holds %s, which is no contact of the deal''s project; use ids that list_contacts returns',
            unknown_id);
      END IF;
      RETURN NEW;
    END $$`);
  await queryRunner.query(`
    CREATE TRIGGER deals_check_contacts_of_new BEFORE INSERT ON deals
    FOR EACH ROW WHEN (NEW.contact_ids <> '{}') EXECUTE FUNCTION check_deal_contacts()`);
  await queryRunner.query(`
    CREATE TRIGGER deals_check_contacts BEFORE UPDATE OF contact_ids ON deals
    FOR EACH ROW WHEN (NEW.contact_ids IS DISTINCT FROM OLD.contact_ids) EXECUTE FUNCTION check_deal_contacts()`);
}

/** A lead can be converted only once. */
async function createConversionGuard(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE FUNCTION keep_lead_conversion() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'lead converted already' USING ERRCODE = 'unique_violation', TABLE = 'leads', CONSTRAINT = 'leads_converted_at_key',
        DETAIL = format('Key (converted_at)=(%s) already exists.', OLD.converted_at);
    END $$`);
  await queryRunner.query(`
    CREATE TRIGGER leads_keep_conversion BEFORE UPDATE OF converted_at, converted_contact_id, converted_deal_id ON leads
    FOR EACH ROW WHEN (OLD.converted_at IS NOT NULL AND (NEW.converted_at, NEW.converted_contact_id, NEW.converted_deal_id)
      IS DISTINCT FROM (OLD.converted_at, OLD.converted_contact_id, OLD.converted_deal_id)) EXECUTE FUNCTION keep_lead_conversion()`);
}

/** Append-only; only test data can be deleted. No foreign key to the lead, because the log outlives the lead. */
async function createConsentLog(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE consent_records (${head('consent_records')}
      resource text NOT NULL CONSTRAINT consent_records_resource_check CHECK (resource IN ('lead', 'contact')),
      resource_id uuid NOT NULL,
      channel text NOT NULL CONSTRAINT consent_records_channel_check CHECK (channel IN ('email', 'sms', 'whatsapp')),
      granted boolean NOT NULL,
      source text CONSTRAINT consent_records_source_check CHECK (length(source) <= 500),
      applied boolean NOT NULL,
      recorded_by jsonb NOT NULL,${BASE},
      CONSTRAINT consent_records_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)
    )`);
  await queryRunner.query(`CREATE INDEX consent_records_resource_id_idx ON consent_records (resource_id, created_at, id)`);
  await queryRunner.query(`
    CREATE FUNCTION keep_consent_records() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'the consent log is append-only';
    END $$`);
  await queryRunner.query(
    `CREATE TRIGGER consent_records_keep_values BEFORE UPDATE ON consent_records FOR EACH ROW EXECUTE FUNCTION keep_consent_records()`,
  );
  await queryRunner.query(`
    CREATE TRIGGER consent_records_keep_rows BEFORE DELETE ON consent_records
    FOR EACH ROW WHEN (OLD.mode = 'live') EXECUTE FUNCTION keep_consent_records()`);
}
