import { fastify } from 'fastify';
import { Pool } from 'pg';
import { uuidv7 } from 'uuidv7';

/**
 * The floor for leads: one Fastify route that writes the rows of a submission in one round trip, through the function of
 * `leads-sql.ts`. It has no key, limit, validation, normalization, assignment rules or idempotency.
 */
interface Tenant {
  organizationId: string;
  projectId: string;
  pipelineId: string;
  statusId: string;
  keyId: string;
}

interface Person {
  full_name: string;
  email: string;
  phone: string;
  external_id: string;
}

const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT, TENANTS } = process.env;
const tenants = JSON.parse(TENANTS as string) as Tenant[];
const pool = new Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_SIZE) });
const server = fastify();

server.get('/health', () => ({ status: 'ok' }));
server.post<{ Params: { tenant: string }; Body: Person }>('/leads/:tenant', async (request, reply) => {
  const { organizationId, projectId, pipelineId, statusId, keyId } = tenants[Number(request.params.tenant)];
  const { full_name, email, phone, external_id } = request.body;
  const id = uuidv7();
  const eventId = uuidv7();
  const lead = { object: 'lead', id, ...request.body, project_id: projectId, pipeline_id: pipelineId, status_id: statusId };
  const event = JSON.stringify({ id: eventId, object: 'event', type: 'lead.created', data: { object: lead } }).slice(1);
  const names = [external_id, email, phone].map((value) => `${organizationId} ${projectId} live ${value}`);
  const lookup = [names, id, organizationId, projectId, pipelineId, statusId, full_name, email, phone, external_id];
  const { rows } = await pool.query<{ count: number }>({
    name: 'submit',
    text: `SELECT bare_submit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) AS count`,
    values: [...lookup, eventId, event, uuidv7(), keyId, JSON.stringify(request.body)],
  });
  return reply.code(201).send({ object: 'lead_submission', lead: { id, submission_count: rows[0].count } });
});

process.once('SIGTERM', () => void server.close().then(() => pool.end()));
await server.listen({ port: Number(PORT), host: HOST });
