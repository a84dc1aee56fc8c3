import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

/** A span as OTLP's JSON has it, with its attributes as an object. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
}

type Attribute = { key: string; value: Record<string, unknown> };
type Payload = { resourceSpans: { scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes'> & { attributes: Attribute[] })[] }[] }[] };

/** A collector of traces on 127.0.0.1 that takes OTLP over HTTP, as JSON. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** All that was sent. */
  text = '';
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.take(Buffer.concat(chunks).toString());
        response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'Content-Type': 'application/json' }).end('{}');
      });
    });
  }

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    await once(receiver.server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private take(text: string): void {
    this.text += text;
    const { resourceSpans } = JSON.parse(text) as Payload;
    for (const { scopeSpans } of resourceSpans)
      for (const { spans } of scopeSpans)
        for (const { attributes, ...span } of spans)
          this.spans.push({ ...span, attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])) });
  }
}
