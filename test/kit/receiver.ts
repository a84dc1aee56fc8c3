import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';

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

/** A receiver of webhooks on 127.0.0.1 that records all deliveries. */
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
