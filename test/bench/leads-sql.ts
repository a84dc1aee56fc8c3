import { Client } from 'pg';

/** The organization, project and pipeline of the measured leads. */
export interface LeadTenant {
  organizationId: string;
  projectId: string;
  pipelineId: string;
  statusId: string;
  /** The API key that submits them. */
  keyId: string;
}

const UNKNOWN_CONSENT = { granted: null, timestamp: null, source: null };
const CONSENT = JSON.stringify({ email: UNKNOWN_CONSENT, sms: UNKNOWN_CONSENT, whatsapp: UNKNOWN_CONSENT });
const BY_SYSTEM = '{"type":"system","id":null,"email":null}';

/**
 * The statements of a submission on the product's tables, in one round trip: locks, match, insert or update, the event with
 * its sequence number, one delivery per subscribed endpoint, and the log row.
 */
const BARE_SUBMIT = `
  CREATE OR REPLACE FUNCTION bare_submit(
    names text[], new_id uuid, org uuid, project uuid, pipeline uuid, status uuid, name text, mail text, number text, foreign_id text,
    event_id uuid, event_rest text, log_id uuid, key_id uuid, request text)
  RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE found_id uuid; count integer;
  BEGIN
    PERFORM pg_advisory_xact_lock(key) FROM (SELECT hashtextextended(n, 0) AS key FROM unnest(names) AS n ORDER BY 1) AS keys;
    SELECT id INTO found_id FROM (
      (SELECT 1 AS rank, l.id FROM leads l
       WHERE l.organization_id = org AND l.mode = 'live' AND l.external_id = foreign_id AND l.project_id = project ORDER BY l.id LIMIT 2)
      UNION ALL (SELECT 2, l.id FROM leads l
       WHERE l.organization_id = org AND l.mode = 'live' AND l.email_normalized = mail AND l.project_id = project ORDER BY l.id LIMIT 2)
      UNION ALL (SELECT 3, l.id FROM leads l
       WHERE l.organization_id = org AND l.mode = 'live' AND l.phone_normalized = number AND l.project_id = project ORDER BY l.id LIMIT 2)
    ) AS hits ORDER BY rank, id LIMIT 1;
    IF found_id IS NULL THEN
      INSERT INTO leads (id, organization_id, project_id, mode, full_name, first_name, last_name, email, email_normalized, phone,
                         phone_normalized, external_id, pipeline_id, status_id, status_kind, custom_fields, consent, created_by)
      VALUES (new_id, org, project, 'live', name, name, name, mail, mail, number, number, foreign_id, pipeline, status, 'open', '{}',
              '${CONSENT}', '${BY_SYSTEM}')
      RETURNING submission_count INTO count;
    ELSE
      UPDATE leads l SET submission_count = l.submission_count + 1, version = l.version + 1, updated_at = now()
      WHERE l.id = found_id RETURNING l.submission_count INTO count;
    END IF;
    INSERT INTO outbox_events (sequence, id, organization_id, project_id, mode, type, internal, body)
    SELECT n, event_id, org, project, 'live', 'lead.created', false, '{"sequence":' || n || ',' || event_rest
    FROM nextval('outbox_events_sequence') AS n;
    INSERT INTO webhook_deliveries (id, organization_id, project_id, mode, endpoint_id, event_id, event_type)
    SELECT gen_random_uuid(), w.organization_id, project, w.mode, w.id, event_id, 'lead.created' FROM webhook_endpoints w
    WHERE w.organization_id = org AND w.mode = 'live' AND w.status = 'enabled' AND (w.project_id IS NULL OR w.project_id = project)
      AND ('lead.created' = ANY(w.events) OR '*' = ANY(w.events));
    INSERT INTO lead_webhook_logs (id, organization_id, project_id, mode, api_key_id, request_id, address, user_agent, status, result,
                                   lead_id, duration_ms, body, body_bytes, created_at, updated_at)
    VALUES (log_id, org, project, 'live', key_id, event_id::text, '127.0.0.1', NULL, 201, 'created',
            new_id, 1, request, length(request), now(), now());
    RETURN count;
  END $$`;

export async function createBareSubmit(url: string): Promise<void> {
  await withClient(url, (client) => client.query(BARE_SUBMIT));
}

/** The same number always yields the same person. */
export function personOf(number: number) {
  return {
    full_name: `Person ${number}`,
    email: `person-${number}@example.com`,
    phone: `+4930${String(number).padStart(8, '0')}`,
    external_id: `form-${number}`,
  };
}

const PIECE = 100_000;

/**
 * Creates the leads of the persons 0 to count - 1, one second apart, with UUID v7 ids. Many are inserted without the indexes and the
 * checks of references, because these take three quarters of the time; the indexes are built afterwards.
 */
export async function seedLeads(url: string, tenant: LeadTenant, count: number): Promise<void> {
  await withClient(url, async (client) => {
    if (count <= PIECE) await insertLeads(client, tenant, 0, count);
    else await withoutIndexes(client, () => insertPieces(url, tenant, count));
    await client.query('VACUUM ANALYZE leads');
  });
}

async function withoutIndexes(client: Client, insert: () => Promise<void>): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index i
     WHERE indrelid = 'leads'::regclass AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
  );
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  await client.query('ALTER TABLE leads DISABLE TRIGGER ALL; ALTER TABLE leads ENABLE TRIGGER leads_set_search');
  await insert();
  await client.query(`ALTER TABLE leads ENABLE TRIGGER ALL; SET maintenance_work_mem = '512MB'`);
  for (const { definition } of indexes) await client.query(definition);
}

/** Two connections, because one uses a single core. */
async function insertPieces(url: string, tenant: LeadTenant, count: number): Promise<void> {
  let from = 0;
  const work = async (client: Client) => {
    while (from < count) {
      const start = from;
      from += PIECE;
      await insertLeads(client, tenant, start, Math.min(start + PIECE, count));
    }
  };
  await Promise.all([withClient(url, work), withClient(url, work)]);
}

async function insertLeads(
  client: Client,
  { organizationId, projectId, pipelineId, statusId }: LeadTenant,
  from: number,
  to: number,
): Promise<void> {
  await client.query(
    `INSERT INTO leads (id, organization_id, project_id, mode, full_name, email, email_normalized, phone, phone_normalized, external_id,
                          pipeline_id, status_id, status_kind, custom_fields, consent, created_by, created_at, updated_at)
       SELECT (lpad(to_hex(1700000000000 + n::bigint * 1000), 12, '0')
                || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid,
              $1, $2, 'live', 'Person ' || n, 'person-' || n || '@example.com', 'person-' || n || '@example.com',
              '+4930' || lpad(n::text, 8, '0'), '+4930' || lpad(n::text, 8, '0'), 'form-' || n,
              $3, $4, 'open', '{}', '${CONSENT}', '${BY_SYSTEM}',
              to_timestamp(1700000000 + n), to_timestamp(1700000000 + n)
       FROM generate_series($5::int, $6::int - 1) AS n`,
    [organizationId, projectId, pipelineId, statusId, from, to],
  );
}

async function withClient(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
