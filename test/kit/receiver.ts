import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';

/** A delivery as it arrived. */
export interface Received {
  at: number;
  path: string;
  headers: Record<string, string>;
  /** The raw body. */
  body: string;
  eventId: string;
  event: { id: string; type: string; sequence: number; data: { object: Record<string, unknown> } };
}

/** What the receiver does with a delivery once it has read it; the default is 200. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse, received: Received) => void;

/** A receiver of webhooks on 127.0.0.1 that remembers everything it got. */
export class Receiver {
  readonly received: Received[] = [];
  private readonly behaviours = new Map<string, Behaviour>();
  private server: Server;

  private constructor() {
    this.server = createServer((request, response) => void this.take(request, response));
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

  on(path: string, behaviour: Behaviour): void {
    this.behaviours.set(path, behaviour);
  }

  at(path: string): Received[] {
    return this.received.filter((received) => received.path === path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
    const behaviour = this.behaviours.get(received.path);
    if (behaviour) behaviour(request, response, received);
    else response.end('ok');
  }
}
