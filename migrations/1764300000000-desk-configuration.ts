import type { MigrationInterface, QueryRunner } from 'typeorm';

const ROW = `
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now()`;
const head = (table: string) => `
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      project_id uuid NOT NULL CONSTRAINT ${table}_project_id_check CHECK (project_id IS NOT NULL),`;
const keys = (table: string) => `,
      CONSTRAINT ${table}_reference_key UNIQUE (organization_id, project_id, id),
      CONSTRAINT ${table}_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)`;
const name = (table: string) => `
      name text NOT NULL CONSTRAINT ${table}_name_check CHECK (length(name) BETWEEN 1 AND 100),`;
const TABLES = [
  'desk_settings',
  'desk_mailboxes',
  'desk_views',
  'desk_canned_responses',
  'desk_sla_policies',
  'desk_business_hours',
  'desk_agents',
  'desk_queues',
  'desk_statuses',
];

/** Statuses, queues, agents, business hours, SLA policies, canned responses, views, mailboxes, settings. */
export class DeskConfiguration1764300000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createWork(queryRunner);
    await createTiming(queryRunner);
    await createTexts(queryRunner);
    await createIndexes(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE ${TABLES.join(', ')}`);
  }
}

async function createWork(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE desk_statuses (${head('desk_statuses')}${name('desk_statuses')}
      category text NOT NULL CONSTRAINT desk_statuses_category_check
        CHECK (category IN ('new', 'open', 'pending', 'on_hold', 'solved', 'closed')),
      is_default boolean NOT NULL DEFAULT false,
      position integer NOT NULL,
      active boolean NOT NULL DEFAULT true,${ROW},
      CONSTRAINT desk_statuses_is_default_check CHECK (active OR NOT is_default)${keys('desk_statuses')}
    )`);
  await queryRunner.query(`CREATE UNIQUE INDEX desk_statuses_is_default_key ON desk_statuses (project_id, category) WHERE is_default`);
  await queryRunner.query(`
    CREATE TABLE desk_queues (${head('desk_queues')}${name('desk_queues')}
      is_default boolean NOT NULL DEFAULT false,
      position integer NOT NULL,
      active boolean NOT NULL DEFAULT true,${ROW},
      CONSTRAINT desk_queues_is_default_check CHECK (active OR NOT is_default)${keys('desk_queues')}
    )`);
  await queryRunner.query(`CREATE UNIQUE INDEX desk_queues_is_default_key ON desk_queues (project_id) WHERE is_default`);
  await queryRunner.query(`
    CREATE TABLE desk_agents (${head('desk_agents')}
      member_id uuid NOT NULL,
      queue_ids uuid[] NOT NULL DEFAULT '{}',
      active boolean NOT NULL DEFAULT true,${ROW},
      CONSTRAINT desk_agents_member_id_key UNIQUE (project_id, member_id),
      CONSTRAINT desk_agents_member_id_fkey FOREIGN KEY (organization_id, member_id)
        REFERENCES members (organization_id, id)${keys('desk_agents')}
    )`);
}

async function createTiming(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE desk_business_hours (${head('desk_business_hours')}${name('desk_business_hours')}
      timezone text NOT NULL,
      windows jsonb NOT NULL CONSTRAINT desk_business_hours_windows_check CHECK (jsonb_typeof(windows) = 'array'),
      holidays date[] NOT NULL DEFAULT '{}',${ROW}${keys('desk_business_hours')}
    )`);
  await queryRunner.query(`
    CREATE TABLE desk_sla_policies (${head('desk_sla_policies')}${name('desk_sla_policies')}
      position integer NOT NULL,
      queue_ids uuid[] NOT NULL DEFAULT '{}',
      tags text[] NOT NULL DEFAULT '{}',
      business_hours_id uuid,
      targets jsonb NOT NULL CONSTRAINT desk_sla_policies_targets_check CHECK (jsonb_typeof(targets) = 'object'),
      pause_on_hold boolean NOT NULL DEFAULT false,
      active boolean NOT NULL DEFAULT true,${ROW},
      CONSTRAINT desk_sla_policies_business_hours_id_fkey FOREIGN KEY (organization_id, project_id, business_hours_id)
        REFERENCES desk_business_hours (organization_id, project_id, id)${keys('desk_sla_policies')}
    )`);
  await queryRunner.query(
    `CREATE INDEX desk_sla_policies_business_hours_id_idx ON desk_sla_policies (business_hours_id) WHERE business_hours_id IS NOT NULL`,
  );
}

async function createTexts(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE desk_canned_responses (${head('desk_canned_responses')}${name('desk_canned_responses')}
      body text NOT NULL CONSTRAINT desk_canned_responses_body_check CHECK (length(body) BETWEEN 1 AND 20000),
      active boolean NOT NULL DEFAULT true,${ROW}${keys('desk_canned_responses')}
    )`);
  await queryRunner.query(`
    CREATE TABLE desk_views (${head('desk_views')}${name('desk_views')}
      filters jsonb NOT NULL CONSTRAINT desk_views_filters_check CHECK (jsonb_typeof(filters) = 'object'),
      position integer NOT NULL,
      active boolean NOT NULL DEFAULT true,${ROW}${keys('desk_views')}
    )`);
  await queryRunner.query(`
    CREATE TABLE desk_mailboxes (${head('desk_mailboxes')}
      address text NOT NULL CONSTRAINT desk_mailboxes_address_check CHECK (length(address) BETWEEN 3 AND 254),
      name text CONSTRAINT desk_mailboxes_name_check CHECK (length(name) BETWEEN 1 AND 100),
      queue_id uuid NOT NULL,
      mode text NOT NULL CONSTRAINT desk_mailboxes_mode_check CHECK (mode IN ('live', 'test')),
      token_hash text NOT NULL,
      trusted_domains text[] NOT NULL DEFAULT '{}',
      acknowledge boolean NOT NULL DEFAULT true,
      active boolean NOT NULL DEFAULT true,${ROW},
      CONSTRAINT desk_mailboxes_token_hash_key UNIQUE (token_hash),
      CONSTRAINT desk_mailboxes_queue_id_fkey FOREIGN KEY (organization_id, project_id, queue_id)
        REFERENCES desk_queues (organization_id, project_id, id)${keys('desk_mailboxes')}
    )`);
  await queryRunner.query(`CREATE INDEX desk_mailboxes_queue_id_idx ON desk_mailboxes (queue_id)`);
  await queryRunner.query(`
    CREATE TABLE desk_settings (${head('desk_settings')}
      close_after_days integer NOT NULL DEFAULT 4
        CONSTRAINT desk_settings_close_after_days_check CHECK (close_after_days BETWEEN 1 AND 28),
      ask_for_rating boolean NOT NULL DEFAULT true,${ROW},
      CONSTRAINT desk_settings_project_id_key UNIQUE (project_id),
      CONSTRAINT desk_settings_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)
    )`);
}

async function createIndexes(queryRunner: QueryRunner): Promise<void> {
  for (const table of ['statuses', 'queues', 'business_hours', 'sla_policies', 'canned_responses', 'views'])
    await queryRunner.query(`CREATE UNIQUE INDEX desk_${table}_name_key ON desk_${table} (project_id, lower(name))`);
  await queryRunner.query(`CREATE UNIQUE INDEX desk_mailboxes_address_key ON desk_mailboxes (organization_id, mode, lower(address))`);
  const sorts = {
    statuses: ['position', 'created_at'],
    queues: ['position', 'created_at'],
    agents: ['created_at'],
    business_hours: ['name', 'created_at'],
    sla_policies: ['position', 'created_at'],
    canned_responses: ['name', 'created_at'],
    views: ['position', 'created_at'],
    mailboxes: ['address', 'created_at'],
  };
  for (const [table, columns] of Object.entries(sorts))
    for (const column of columns)
      await queryRunner.query(`CREATE INDEX desk_${table}_${column}_idx ON desk_${table} (organization_id, ${column}, id, project_id)`);
}
