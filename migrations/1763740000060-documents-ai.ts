import type { MigrationInterface, QueryRunner } from 'typeorm';

const BASE = `
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()`;

const ofOrganization = (table: string) => `
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL CONSTRAINT ${table}_organization_id_fkey REFERENCES organizations (id),`;

const OF_DOCUMENT = `
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        mode text NOT NULL,
        document_id uuid NOT NULL,
        pack_id uuid NOT NULL,`;

/** Analyses of documents, the credits they cost, and the rule packs that documents are checked against. */
export class DocumentsAi1763740000060 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createCredits(queryRunner);
    await createAnalyses(queryRunner);
    await createRules(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `DROP TABLE regulatory_checks, regulatory_findings, regulatory_rule_packs, ai_analyses, ai_runs, ai_credit_entries,
        ai_credit_accounts`,
    );
  }
}

async function createCredits(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE ai_credit_accounts (${ofOrganization('ai_credit_accounts')}
        balance integer NOT NULL CONSTRAINT ai_credit_accounts_balance_check CHECK (balance >= 0),
        reserved integer NOT NULL DEFAULT 0
          CONSTRAINT ai_credit_accounts_reserved_check CHECK (reserved >= 0 AND reserved <= balance),${BASE},
        CONSTRAINT ai_credit_accounts_organization_id_key UNIQUE (organization_id)
    )`);
  await queryRunner.query(`
    CREATE TABLE ai_credit_entries (${ofOrganization('ai_credit_entries')}
        kind text NOT NULL CONSTRAINT ai_credit_entries_kind_check CHECK (kind IN ('grant', 'reserve', 'capture', 'release')),
        amount integer NOT NULL CONSTRAINT ai_credit_entries_amount_check CHECK (amount >= 1),
        run_id uuid,
        balance integer NOT NULL,
        reserved integer NOT NULL,
        actor jsonb NOT NULL,
        note text,${BASE}
    )`);
  await queryRunner.query(`CREATE INDEX ai_credit_entries_created_at_idx ON ai_credit_entries (organization_id, created_at, id)`);
  await queryRunner.query(
    `CREATE TRIGGER ai_credit_entries_keep_values BEFORE UPDATE OR DELETE ON ai_credit_entries FOR EACH ROW
      EXECUTE FUNCTION keep_document_rows()`,
  );
}

async function createAnalyses(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE ai_runs (${ofOrganization('ai_runs')}
        cache_key text NOT NULL,
        forced boolean NOT NULL,
        credits integer NOT NULL CONSTRAINT ai_runs_credits_check CHECK (credits >= 1),
        expires_at timestamptz(3) NOT NULL,
        actor jsonb NOT NULL,${BASE}
    )`);
  await queryRunner.query(`CREATE UNIQUE INDEX ai_runs_cache_key_key ON ai_runs (organization_id, cache_key) WHERE NOT forced`);
  await queryRunner.query(`CREATE INDEX ai_runs_expires_at_idx ON ai_runs (expires_at)`);
  await queryRunner.query(`
    CREATE TABLE ai_analyses (${ofOrganization('ai_analyses')}
        mode text NOT NULL CONSTRAINT ai_analyses_mode_check CHECK (mode IN ('live', 'test')),
        kind text NOT NULL CONSTRAINT ai_analyses_kind_check CHECK (kind IN ('summary', 'risks')),
        cache_key text NOT NULL,
        perspective text NOT NULL,
        provider text NOT NULL,
        model text NOT NULL,
        result jsonb NOT NULL,
        credits integer NOT NULL CONSTRAINT ai_analyses_credits_check CHECK (credits >= 0),
        requested_by jsonb NOT NULL,
        retry_key text,
        analysed_at timestamptz(3) NOT NULL,${BASE},
        CONSTRAINT ai_analyses_cache_key_key UNIQUE (organization_id, mode, cache_key)
    )`);
  await queryRunner.query(`CREATE INDEX ai_analyses_analysed_at_idx ON ai_analyses (analysed_at)`);
}

async function createRules(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE regulatory_rule_packs (${ofOrganization('regulatory_rule_packs')}
        name text NOT NULL CONSTRAINT regulatory_rule_packs_name_check CHECK (length(name) BETWEEN 1 AND 100),
        jurisdiction text NOT NULL,
        active boolean NOT NULL DEFAULT true,
        rules jsonb NOT NULL CONSTRAINT regulatory_rule_packs_rules_check CHECK (jsonb_typeof(rules) = 'array'),${BASE},
        CONSTRAINT regulatory_rule_packs_name_key UNIQUE (organization_id, name),
        CONSTRAINT regulatory_rule_packs_reference_key UNIQUE (organization_id, id)
    )`);
  await queryRunner.query(`CREATE INDEX regulatory_rule_packs_created_at_idx ON regulatory_rule_packs (organization_id, created_at, id)`);
  await queryRunner.query(`
    CREATE TABLE regulatory_findings (${OF_DOCUMENT}
        rule_id text NOT NULL,
        rule_version integer NOT NULL,
        jurisdiction text NOT NULL,
        severity text NOT NULL CONSTRAINT regulatory_findings_severity_check CHECK (severity IN ('low', 'medium', 'high', 'critical')),
        message text NOT NULL,${BASE},${references('regulatory_findings')},
        CONSTRAINT regulatory_findings_rule_key UNIQUE (document_id, pack_id, rule_id, rule_version),
        CONSTRAINT regulatory_findings_mode_check CHECK (mode IN ('live', 'test'))
    )`);
  await queryRunner.query(
    `CREATE INDEX regulatory_findings_created_at_idx ON regulatory_findings (organization_id, mode, created_at, id, project_id)`,
  );
  await queryRunner.query(`
    CREATE TABLE regulatory_checks (${OF_DOCUMENT}
        rules_hash text NOT NULL,
        document_version integer NOT NULL,${BASE},${references('regulatory_checks')},
        CONSTRAINT regulatory_checks_pack_id_key UNIQUE (document_id, pack_id)
    )`);
}

function references(table: string): string {
  return `
        CONSTRAINT ${table}_document_id_fkey FOREIGN KEY (organization_id, project_id, mode, document_id)
          REFERENCES documents (organization_id, project_id, mode, id) ON DELETE CASCADE,
        CONSTRAINT ${table}_pack_id_fkey FOREIGN KEY (organization_id, pack_id) REFERENCES regulatory_rule_packs (organization_id, id)`;
}
