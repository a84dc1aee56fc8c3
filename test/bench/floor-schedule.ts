import { fastify } from 'fastify';
import { Pool } from 'pg';
import { uuidv7 } from 'uuidv7';

/**
 * The floor for events: one Fastify route that runs the statements of an event with a room in one round trip, through the function
 * of `schedule-sql.ts`. It has no key, limit, validation, recurrence, invitees or idempotency.
 */
interface NewEvent {
  calendar_id: string;
  title: string;
  start_at: string;
  end_at: string;
  resource_ids: string[];
}

const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT } = process.env;
const pool = new Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_SIZE) });
const server = fastify();

server.get('/health', () => ({ status: 'ok' }));
server.post<{ Body: NewEvent }>('/events', async (request, reply) => {
  const { calendar_id, title, start_at, end_at, resource_ids } = request.body;
  const id = uuidv7();
  const eventId = uuidv7();
  const names = [`schedule calendar ${calendar_id} live`, ...resource_ids.map((resource) => `schedule resource ${resource} live`)];
  const event = { object: 'event', id, ...request.body, status: 'confirmed' };
  const rest = JSON.stringify({ id: eventId, object: 'event', type: 'event.created', data: { object: event } }).slice(1);
  const { rows } = await pool.query<{ created: boolean }>({
    name: 'create',
    text: 'SELECT bare_create_event($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS created',
    values: [names, id, calendar_id, resource_ids[0], title, start_at, end_at, uuidv7(), eventId, rest],
  });
  return rows[0].created ? reply.code(201).send(event) : reply.code(409).send({ error: 'resource_conflict' });
});

process.once('SIGTERM', () => void server.close().then(() => pool.end()));
await server.listen({ port: Number(PORT), host: HOST });
