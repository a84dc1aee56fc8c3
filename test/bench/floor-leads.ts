import { fastify } from 'fastify';
import { Pool, type QueryConfig } from 'pg';
import { uuidv7 } from 'uuidv7';
import { writeOnce } from './floor-keys.js';

/**
 * The floor for leads: one Fastify route that writes the rows of a submission in one round trip, through the function of
 * `leads-sql.ts`. It has no API key, limit, validation, normalization or assignment rules.
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
  const write = {
    name: 'submit',
    text: `SELECT json_build_object('id', $2::uuid, 'submission_count', count) AS lead
           FROM bare_submit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) AS count`,
    values: [...lookup, eventId, event, uuidv7(), keyId, JSON.stringify(request.body)],
    response: { object: 'lead_submission' },
  };
  const run = async (statement: QueryConfig) => (await pool.query<object>(statement)).rows;
  const submitted = await writeOnce(run, write, request.headers['idempotency-key'] as string | undefined);
  return reply.code(201).send(submitted);
});

process.once('SIGTERM', () => void server.close().then(() => pool.end()));
await server.listen({ port: Number(PORT), host: HOST });
