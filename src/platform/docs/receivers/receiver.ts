// node receiver.ts, with Node 22.18 or newer: WEBHOOK_SECRET=svc_whsec_... PORT=4000
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const TOLERANCE_SECONDS = 300;
const secret = process.env.WEBHOOK_SECRET;
if (!secret) throw new Error('Set WEBHOOK_SECRET to the signing secret of the endpoint.');
const handled = new Set<string>();

/** Whether these bytes were signed with the secret within the tolerance. */
function isAuthentic(rawBody: Buffer, header: string, key: string): boolean {
  const fields = header.split(',').map((field) => field.split('='));
  const time = fields.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > TOLERANCE_SECONDS) return false;
  const own = createHmac('sha256', key).update(`${time}.`).update(rawBody).digest();
  // there are two while the previous secret is still valid; one match is enough
  return fields.some(([name, hex = '']) => name === 'v1' && /^[0-9a-f]{64}$/.test(hex) && timingSafeEqual(Buffer.from(hex, 'hex'), own));
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const rawBody = Buffer.concat(chunks);
  if (!isAuthentic(rawBody, String(request.headers['svc-signature'] ?? ''), secret as string)) {
    response.writeHead(400).end('invalid signature\n');
    return;
  }
  const event = JSON.parse(rawBody.toString('utf8')) as { id: string; type: string };
  // an event may be delivered twice: keep the ids in your database, and store the event before you respond
  if (!handled.has(event.id)) {
    handled.add(event.id);
    console.log(event.type, event.id);
  }
  response.writeHead(204).end();
}

const server = createServer((request, response) => void receive(request, response).catch(() => response.destroy()));
server.listen(Number(process.env.PORT ?? 4000));
