import { createHmac, timingSafeEqual } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { DataSource } from 'typeorm';
import { SecretBox } from '../platform/config/secret-box.js';
import { policyHash } from '../platform/docs/published-files.js';
import { ECHO_PAGE } from './echo-page.js';

export const ECHO_PATH = '/dev/webhooks';
/** The address of the demo's webhook endpoints. */
export const ECHO_TARGET = `${ECHO_PATH}/receive`;

const MAX_ECHOES = 500;
const SHOWN = 50;
const TOLERANCE_SECONDS = 300;

const [, style] = /<style>([^]*)<\/style>/.exec(ECHO_PAGE) as RegExpExecArray;
const [, script] = /<script>([^]*)<\/script>/.exec(ECHO_PAGE) as RegExpExecArray;
const POLICY =
  `default-src 'none'; script-src ${policyHash(script)}; style-src ${policyHash(style)}; connect-src 'self'; ` +
  `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const FILTERS = ['type', 'mode', 'event_id', 'object_id', 'verified', 'limit'];

/** A received delivery as the page shows it. */
interface Echo {
  received_at: string;
  event_id: string;
  /** The id of the object in the event; null if it has none. */
  object_id: string | null;
  type: string;
  mode: string;
  signature: string;
  /** Whether the signature matches a secret of the demo's endpoints. */
  verified: boolean;
  body: string;
}

/** Adds a webhook receiver to the development server, to see signed deliveries without a receiver of one's own. */
export function installEchoReceiver(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const echoes: Echo[] = [];
  fastify.get(ECHO_PATH, (_request, reply) =>
    reply.type('text/html; charset=utf-8').headers({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store' }).send(ECHO_PAGE),
  );
  fastify.get<{ Querystring: Record<string, string> }>(`${ECHO_PATH}/received`, ({ query }, reply) => {
    const unknown = Object.keys(query).filter((name) => !FILTERS.includes(name));
    if (unknown.length > 0) return reply.status(400).send({ reason: `${unknown[0]} is no filter; they are ${FILTERS.join(', ')}` });
    const { limit = SHOWN, ...filters } = query;
    return { received: echoes.filter((echo) => matches(echo, filters)).slice(0, Number(limit) || SHOWN) };
  });
  fastify.delete(`${ECHO_PATH}/received`, (_request, reply) => {
    echoes.length = 0;
    return reply.status(204).send();
  });
  fastify.post(ECHO_TARGET, async (request, reply) => {
    const raw = request.body as Buffer;
    const signature = String(request.headers['svc-signature'] ?? '');
    const event = parseEvent(raw);
    if (!event) return reply.status(400).send({ received: false, reason: 'the body is not an event' });
    const secrets = await secretsOf(app);
    echoes.unshift({
      received_at: new Date().toISOString(),
      event_id: String(request.headers['svc-event-id']),
      object_id: event.objectId,
      type: String(request.headers['svc-event-type']),
      mode: event.mode,
      signature,
      verified: secrets.some((secret) => verify(raw, signature, secret)),
      body: JSON.stringify(event.content, null, 2),
    });
    echoes.length = Math.min(echoes.length, MAX_ECHOES);
    return reply.status(200).send({ received: true });
  });
}

/** Equal values; `task.*` is every type of the subject. */
function matches(echo: Echo, filters: Readonly<Record<string, string>>): boolean {
  return Object.entries(filters).every(([name, wanted]) => {
    const value = String(echo[name as keyof Echo]);
    return wanted.endsWith('.*') ? value.startsWith(wanted.slice(0, -1)) : value === wanted;
  });
}

/** Null if the body is not an event; the route is open to anyone. */
function parseEvent(body: unknown): { content: object; mode: string; objectId: string | null } | null {
  try {
    const content: unknown = JSON.parse(String(body));
    if (typeof content !== 'object' || content === null || !('mode' in content) || typeof content.mode !== 'string') return null;
    const { data } = content as { data?: { object?: { id?: unknown } } };
    return { content, mode: content.mode, objectId: typeof data?.object?.id === 'string' ? data.object.id : null };
  } catch {
    return null;
  }
}

/** Verifies a signature as every receiver must: HMAC over `<t>.<raw body>`, constant-time comparison, limited age. */
function verify(rawBody: Buffer, header: string, secret: string, now = Date.now()): boolean {
  const parts = header.split(',').map((part) => part.split('=', 2));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!(Math.abs(now / 1000 - Number(time)) <= TOLERANCE_SECONDS)) return false;
  const expected = createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest();
  return parts.some(([name, value]) => {
    const given = Buffer.from(name === 'v1' ? value : '', 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

async function secretsOf(app: INestApplicationContext): Promise<string[]> {
  const rows = await app
    .get(DataSource)
    .query<{ id: string; secret: Buffer }[]>(`SELECT id, secret FROM webhook_endpoints WHERE url LIKE '%' || $1 ORDER BY id LIMIT 20`, [
      ECHO_TARGET,
    ]);
  return rows.map(({ id, secret }) => app.get(SecretBox).open(secret, id));
}
