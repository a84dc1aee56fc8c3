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

const ofDocument = (table: string) => `
        CONSTRAINT ${table}_document_id_fkey FOREIGN KEY (organization_id, project_id, mode, document_id)
          REFERENCES documents (organization_id, project_id, mode, id) ON DELETE CASCADE`;

/** Document types with their versions, documents, their comments, decisions, signatures and audit trail. */
export class DocumentsCore1763740000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createTypes(queryRunner);
    await createDocuments(queryRunner);
    await createSearch(queryRunner);
    await createComments(queryRunner);
    await createAudit(queryRunner);
    await createApprovals(queryRunner);
    await createSignatures(queryRunner);
    await createGuards(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `DROP TABLE document_renditions, signature_parties, approval_requests, document_audit_entries, document_comments, documents,
        document_type_versions, document_types`,
    );
    await queryRunner.query(`DROP FUNCTION set_document_search, keep_document_rows`);
  }
}

async function createTypes(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE document_types (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid,
        code text NOT NULL CONSTRAINT document_types_code_check CHECK (code ~ '^[a-z][a-z0-9_]{1,62}$'),
        name text NOT NULL CONSTRAINT document_types_name_check CHECK (length(name) BETWEEN 1 AND 100),
        description text,
        published_version integer CONSTRAINT document_types_published_version_check CHECK (published_version >= 1),
        draft jsonb NOT NULL,${BASE},
        CONSTRAINT document_types_organization_id_id_key UNIQUE (organization_id, id),
        CONSTRAINT document_types_code_key UNIQUE (organization_id, code),
        CONSTRAINT document_types_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)
    )`);
  await queryRunner.query(`CREATE INDEX document_types_created_at_idx ON document_types (organization_id, created_at, id)`);
  await queryRunner.query(`
    CREATE TABLE document_type_versions (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        type_id uuid NOT NULL,
        number integer NOT NULL CONSTRAINT document_type_versions_number_check CHECK (number >= 1),
        name text NOT NULL,
        definition jsonb NOT NULL,
        published_by jsonb NOT NULL,${BASE},
        CONSTRAINT document_type_versions_number_key UNIQUE (organization_id, type_id, number),
        CONSTRAINT document_type_versions_type_id_fkey
          FOREIGN KEY (organization_id, type_id) REFERENCES document_types (organization_id, id)
    )`);
}

async function createDocuments(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE documents (${head('documents')}
        type_id uuid NOT NULL,
        type_code text NOT NULL,
        type_version integer NOT NULL,
        number text,
        title text NOT NULL CONSTRAINT documents_title_check CHECK (length(title) BETWEEN 1 AND 255),
        state text NOT NULL CONSTRAINT documents_state_check
          CHECK (state IN ('draft', 'in_approval', 'returned', 'rejected', 'approved', 'finalized', 'sent',
          'partially_signed', 'executed', 'declined', 'expired', 'revoked', 'superseded')),
        lifecycle_stage text NOT NULL,
        data_values jsonb NOT NULL CONSTRAINT documents_data_values_check CHECK (jsonb_typeof(data_values) = 'object'),
        missing_required_fields text[] NOT NULL DEFAULT '{}',
        source_ref jsonb,
        approval_outcome text NOT NULL CONSTRAINT documents_approval_outcome_check
          CHECK (approval_outcome IN ('not_required', 'pending', 'approved', 'rejected', 'returned')),
        approval_round integer NOT NULL DEFAULT 0,
        approval_step integer,
        submitted_by uuid,
        signing_deadline_at timestamptz(3),
        content_sha256 text,
        valid_until_on date,
        expired_reason text,
        supersedes_id uuid,
        superseded_by_id uuid,
        revision integer NOT NULL DEFAULT 1,
        created_by jsonb NOT NULL,
        finalized_at timestamptz(3),
        executed_at timestamptz(3),
        search tsvector,${BASE},
        CONSTRAINT documents_reference_key UNIQUE (organization_id, project_id, mode, id),
        CONSTRAINT documents_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id),
        CONSTRAINT documents_type_version_fkey
          FOREIGN KEY (organization_id, type_id, type_version) REFERENCES document_type_versions (organization_id, type_id, number),
        CONSTRAINT documents_supersedes_id_fkey
          FOREIGN KEY (organization_id, project_id, mode, supersedes_id) REFERENCES documents (organization_id, project_id, mode, id)
    )`);
  await queryRunner.query(
    `CREATE UNIQUE INDEX documents_number_key ON documents (organization_id, mode, type_id, project_id, number) WHERE number IS NOT NULL`,
  );
  await queryRunner.query(`CREATE INDEX documents_created_at_idx ON documents (organization_id, mode, created_at, id)`);
  await queryRunner.query(`CREATE INDEX documents_project_created_at_idx ON documents (organization_id, mode, project_id, created_at, id)`);
  await queryRunner.query(`CREATE INDEX documents_updated_at_idx ON documents (organization_id, mode, updated_at, id, project_id)`);
  await queryRunner.query(`CREATE INDEX documents_state_idx ON documents (organization_id, mode, state, created_at, id)`);
  await queryRunner.query(`CREATE INDEX documents_type_code_idx ON documents (organization_id, mode, type_code, created_at, id)`);
  await queryRunner.query(
    `CREATE INDEX documents_source_ref_idx
      ON documents (organization_id, mode, (COALESCE(source_ref ->> 'id', source_ref #>> '{}')), created_at, id)
        WHERE source_ref IS NOT NULL`,
  );
  await queryRunner.query(
    `CREATE INDEX documents_signing_deadline_at_idx ON documents (signing_deadline_at) WHERE state IN ('sent', 'partially_signed')`,
  );
  await queryRunner.query(`CREATE INDEX documents_valid_until_on_idx ON documents (valid_until_on) WHERE state = 'executed'`);
  await queryRunner.query(`CREATE INDEX documents_supersedes_id_idx ON documents (supersedes_id) WHERE supersedes_id IS NOT NULL`);
}

/** The store tokenizes queries into letters and digits, so the search vector must split words at punctuation too. */
async function createSearch(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE FUNCTION set_document_search() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.search := to_tsvector('simple', translate(concat_ws(' ', NEW.title, NEW.number), '-./:@_+&=?#%~\\|<>''"', repeat(' ', 19)));
      RETURN NEW;
    END $$`);
  await queryRunner.query(`CREATE INDEX documents_search_idx ON documents USING gin (search)`);
  await queryRunner.query(
    `CREATE TRIGGER documents_set_search BEFORE INSERT OR UPDATE OF title, number ON documents FOR EACH ROW
      EXECUTE FUNCTION set_document_search()`,
  );
}

async function createComments(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE document_comments (${head('document_comments')}
        document_id uuid NOT NULL,
        kind text NOT NULL CONSTRAINT document_comments_kind_check CHECK (kind IN ('user', 'submit', 'decision', 'system')),
        body text NOT NULL CONSTRAINT document_comments_body_check CHECK (length(body) BETWEEN 1 AND 10000),
        author jsonb NOT NULL,${BASE},${ofDocument('document_comments')}
    )`);
  await queryRunner.query(`CREATE INDEX document_comments_document_id_idx ON document_comments (document_id, created_at, id)`);
}

async function createAudit(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE document_audit_entries (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        mode text NOT NULL,
        document_id uuid,
        action text NOT NULL,
        actor jsonb NOT NULL,
        acted_for text,
        from_state text,
        to_state text,
        status text NOT NULL DEFAULT 'completed',
        trigger_id uuid,
        event_id uuid,
        error text,
        detail jsonb NOT NULL DEFAULT '{}',${BASE},${ofDocument('document_audit_entries')}
    )`);
  await queryRunner.query(`CREATE INDEX document_audit_entries_document_id_idx ON document_audit_entries (document_id, created_at, id)`);
  await queryRunner.query(
    `CREATE UNIQUE INDEX document_audit_entries_generation_key
      ON document_audit_entries (trigger_id, event_id) WHERE action = 'papers.generation'`,
  );
  await queryRunner.query(
    `CREATE INDEX document_audit_entries_generation_idx
      ON document_audit_entries (organization_id, mode, created_at, id) WHERE action = 'papers.generation'`,
  );
}

async function createApprovals(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE approval_requests (${head('approval_requests')}
        document_id uuid NOT NULL,
        type_code text NOT NULL,
        round integer NOT NULL,
        step_index integer NOT NULL,
        step_name text NOT NULL,
        step_mode text NOT NULL,
        quorum integer,
        routing text NOT NULL CONSTRAINT approval_requests_routing_check CHECK (routing IN ('routed', 'unrouted')),
        approver_id uuid,
        decision text NOT NULL DEFAULT 'pending'
          CONSTRAINT approval_requests_decision_check CHECK (decision IN ('pending', 'approved', 'rejected', 'returned', 'withdrawn')),
        comment text,
        due_at timestamptz(3),
        escalated_at timestamptz(3),
        decided_at timestamptz(3),
        decided_by jsonb,${BASE},${ofDocument('approval_requests')},
        CONSTRAINT approval_requests_approver_id_fkey FOREIGN KEY (organization_id, approver_id) REFERENCES members (organization_id, id)
    )`);
  await queryRunner.query(`CREATE INDEX approval_requests_document_id_idx ON approval_requests (document_id, round, step_index, id)`);
  await queryRunner.query(
    `CREATE INDEX approval_requests_pending_idx
      ON approval_requests (organization_id, mode, created_at, id, project_id) WHERE decision = 'pending'`,
  );
  await queryRunner.query(
    `CREATE INDEX approval_requests_approver_idx ON approval_requests (approver_id, mode, created_at, id) WHERE decision = 'pending'`,
  );
  await queryRunner.query(
    `CREATE INDEX approval_requests_due_at_idx
      ON approval_requests (due_at) WHERE decision = 'pending' AND due_at IS NOT NULL AND escalated_at IS NULL`,
  );
  await queryRunner.query(
    `CREATE UNIQUE INDEX approval_requests_approver_key
      ON approval_requests (document_id, round, step_index, approver_id) WHERE approver_id IS NOT NULL`,
  );
}

async function createSignatures(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE signature_parties (${head('signature_parties')}
        document_id uuid NOT NULL,
        revision integer NOT NULL,
        key text NOT NULL,
        label text NOT NULL,
        turn integer NOT NULL,
        kind text NOT NULL,
        required boolean NOT NULL,
        auth text NOT NULL,
        name text NOT NULL,
        email text NOT NULL,
        status text NOT NULL DEFAULT 'waiting'
          CONSTRAINT signature_parties_status_check CHECK (status IN ('waiting', 'invited', 'viewed', 'signed', 'declined', 'cancelled')),
        token_hash text,
        mail_id uuid,
        otp_hash text,
        otp_expires_at timestamptz(3),
        otp_failures integer NOT NULL DEFAULT 0,
        viewed_at timestamptz(3),
        signed_at timestamptz(3),
        declined_at timestamptz(3),
        decline_reason text,
        signature jsonb,
        consent_text text,
        address text,
        user_agent text,
        evidence_sha256 text,${BASE},${ofDocument('signature_parties')}
    )`);
  await queryRunner.query(`CREATE INDEX signature_parties_document_id_idx ON signature_parties (document_id, revision, turn, id)`);
  await queryRunner.query(
    `CREATE UNIQUE INDEX signature_parties_token_hash_key ON signature_parties (token_hash) WHERE token_hash IS NOT NULL`,
  );
  await queryRunner.query(`
    CREATE TABLE document_renditions (${head('document_renditions')}
        document_id uuid NOT NULL,
        revision integer NOT NULL,
        kind text NOT NULL CONSTRAINT document_renditions_kind_check CHECK (kind IN ('final', 'executed')),
        pdf bytea NOT NULL,
        html text NOT NULL,
        sha256 text NOT NULL,${BASE},${ofDocument('document_renditions')},
        CONSTRAINT document_renditions_kind_key UNIQUE (document_id, revision, kind)
    )`);
}

/** Makes published versions, finalized content and the audit trail immutable. Only test data can be deleted. */
async function createGuards(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE FUNCTION keep_document_rows() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
    END $$`);
  for (const table of ['document_type_versions', 'document_renditions', 'document_audit_entries']) {
    await queryRunner.query(
      `CREATE TRIGGER ${table}_keep_values BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION keep_document_rows()`,
    );
  }
  for (const table of ['document_renditions', 'document_audit_entries']) {
    await queryRunner.query(
      `CREATE TRIGGER ${table}_keep_rows BEFORE DELETE ON ${table} FOR EACH ROW WHEN (OLD.mode = 'live')
        EXECUTE FUNCTION keep_document_rows()`,
    );
  }
}
