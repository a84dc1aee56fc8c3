import { fastify, type FastifyReply, type FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { uuidv7 } from 'uuidv7';

/**
 * The floor for stock: Fastify routes that write the rows of a reservation or movement in one round trip, through the functions of
 * `inventory-sql.ts`, or nothing but the conditional UPDATE of a level. They have no API key, limit, validation or lots.
 * With an Idempotency-Key the same statement keeps the response for repeats.
 */
interface Line {
  item_id: string;
  location_id: string;
  quantity: string;
  cost_amount?: number;
  reference: string;
}

const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT } = process.env;
const pool = new Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_SIZE) });
const server = fastify();

function eventOf(type: string, object: object): [id: string, rest: string] {
  const id = uuidv7();
  return [id, JSON.stringify({ id, object: 'event', type, data: { object } }).slice(1)];
}

interface Write {
  name: string;
  /** Returns a row if it was made. */
  text: string;
  values: unknown[];
}

/** The statement, which also keeps the response for the key: a repeat violates the table's primary key. */
function keyed({ name, text, values }: Write, key: string, response: string): Write {
  const next = values.length + 1;
  return {
    name: `${name} once`,
    text: `WITH made AS MATERIALIZED (${text}), kept AS (
             INSERT INTO floor_keys (key, response) SELECT $${next}, $${next + 1} FROM made
           ) SELECT 1 FROM made`,
    values: [...values, key, response],
  };
}

async function respond({ headers }: FastifyRequest, reply: FastifyReply, write: Write, made: object): Promise<FastifyReply> {
  const key = headers['idempotency-key'] as string | undefined;
  const response = JSON.stringify(made);
  void reply.type('application/json');
  let failure: unknown = null;
  try {
    const { rowCount } = await pool.query(key === undefined ? write : keyed(write, key, response));
    if (rowCount === 1) return reply.code(201).send(response);
  } catch (error) {
    failure = error;
  }
  // a repeat is refused for its key, or for the stock that the first request took
  const { rows } = await pool.query<{ response: string }>('SELECT response FROM floor_keys WHERE key = $1', [key]);
  if (rows.length > 0) return reply.code(201).send(rows[0].response);
  if (failure !== null) throw failure as Error;
  return reply.code(409).send('{"error":"insufficient_stock"}');
}

server.get('/health', () => ({ status: 'ok' }));
server.post<{ Body: Line }>('/update', (request, reply) => {
  const { item_id, location_id, quantity } = request.body;
  const write = {
    name: 'update',
    text: `UPDATE stock_levels SET reserved = reserved + $3, version = version + 1, updated_at = now()
           WHERE item_id = $1 AND location_id = $2 AND on_hand - held - reserved >= $3 RETURNING 1`,
    values: [item_id, location_id, quantity],
  };
  return respond(request, reply, write, { object: 'stock_reservation' });
});
server.post<{ Body: Line }>('/reservations', (request, reply) => {
  const { item_id, location_id, quantity, reference } = request.body;
  const reservation = { object: 'stock_reservation', id: uuidv7(), ...request.body, status: 'active' };
  const write = {
    name: 'reserve',
    text: 'SELECT 1 FROM bare_reserve($1, $2, $3, $4, $5, $6, $7) AS reserved WHERE reserved',
    values: [reservation.id, item_id, location_id, quantity, reference, ...eventOf('stock_reservation.created', reservation)],
  };
  return respond(request, reply, write, reservation);
});
server.post<{ Body: Line }>('/movements', (request, reply) => {
  const { item_id, location_id, quantity, cost_amount = 0, reference } = request.body;
  const movement = { object: 'stock_movement', id: uuidv7(), ...request.body };
  const write = {
    name: 'move',
    text: 'SELECT 1 FROM bare_move($1, $2, $3, $4, $5, $6, $7, $8) AS moved WHERE moved',
    values: [movement.id, item_id, location_id, quantity, cost_amount, reference, ...eventOf('stock.moved', movement)],
  };
  return respond(request, reply, write, movement);
});

process.once('SIGTERM', () => void server.close().then(() => pool.end()));
await server.listen({ port: Number(PORT), host: HOST });
