import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import type { Client } from './client.js';

/** A received delivery. */
export interface Received {
  at: number;
  path: string;
  headers: Record<string, string>;
  /** The raw body. */
  body: string;
  eventId: string;
  event: { id: string; type: string; sequence: number; data: { object: Record<string, unknown> } };
}

/** How the receiver responds to a delivery; by default with 200. */
export type Behavior = (request: IncomingMessage, response: ServerResponse, received: Received) => void;

/** An endpoint that leads to the receiver. */
export interface Subscription {
  id: string;
  secret: string;
  path: string;
  got(): Received[];
}

/**
 * A receiver of webhooks on 127.0.0.1 that records all deliveries.
 *
 * @example
 * ```ts
 * import { Receiver, type Client } from 'work-suite/testing';
 *
 * // an endpoint that is down
 * export async function unreachable(receiver: Receiver, member: Client) {
 *   const endpoint = await receiver.subscribe(member, { events: ['note.*'] });
 *   receiver.on(endpoint.path, (_request, response) => void response.writeHead(500).end());
 *   return endpoint;
 * }
 * ```
 */
export class Receiver {
  readonly received: Received[] = [];
  private readonly behaviours = new Map<string, Behavior>();
  private server: Server;

  private constructor() {
    this.server = createServer((request, response) => void this.receive(request, response));
    this.server.keepAliveTimeout = 30_000;
  }

  static async start(port = 0): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.server.listen(port, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  url(path = '/hooks'): string {
    const { port } = this.server.address() as { port: number };
    return `http://127.0.0.1:${port}${path}`;
  }

  /** Creates an endpoint for all events, unless the values say otherwise, that leads to a path of its own. */
  async subscribe(member: Client, values: object = {}): Promise<Subscription> {
    const path = `/${randomUUID()}`;
    const endpoint = { url: this.url(path), events: ['*'], ...values };
    const { status, body, text } = await member.post('/api/v1/org/developer/webhook-endpoints', endpoint);
    if (status !== 201) throw new Error(`The endpoint was not created: ${text}`);
    return { id: body.id as string, secret: body.secret as string, path, got: () => this.at(path) };
  }

  on(path: string, behavior: Behavior): void {
    this.behaviours.set(path, behavior);
  }

  at(path: string): Received[] {
    return this.received.filter((received) => received.path === path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // another spec waits for a server that was to listen on this port
    if (request.method === 'GET' && request.url === '/health') return void response.writeHead(503).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const received: Received = {
      at: Date.now(),
      path: request.url as string,
      headers: request.headers as Record<string, string>,
      body,
      eventId: request.headers['svc-event-id'] as string,
      event: JSON.parse(body || '{}') as Received['event'],
    };
    this.received.push(received);
    const behavior = this.behaviours.get(received.path);
    if (behavior) behavior(request, response, received);
    else response.end('ok');
  }
}
