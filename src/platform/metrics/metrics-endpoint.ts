import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ConfigError, type Secret } from '../../kit/index.js';
import type { PrometheusMetrics } from './prometheus-metrics.js';

export interface EndpointSettings {
  metricsHost: string;
  metricsPort?: number | undefined;
  metricsToken?: Secret | undefined;
}

/** Serves the metrics at `/metrics`: on a port of their own, or with a token on that of the API. */
@Injectable()
export class MetricsEndpoint implements OnApplicationBootstrap, OnApplicationShutdown {
  private server: Server | null = null;

  /** `metrics` is null in a process without metrics. */
  constructor(
    private readonly metrics: PrometheusMetrics | null,
    private readonly settings: EndpointSettings,
  ) {}

  /** Whether the server of the API serves the metrics. */
  get onMainPort(): boolean {
    return this.metrics !== null && this.settings.metricsPort === undefined;
  }

  /** The port of their own; null without one. */
  get port(): number | null {
    return (this.server?.address() as AddressInfo | null | undefined)?.port ?? null;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { metricsHost: host, metricsPort: port } = this.settings;
    if (this.metrics === null || port === undefined) return;
    this.server = createServer((request, response) => void this.respond(request, response));
    try {
      await once(this.server.listen(port, host), 'listening');
    } catch (error) {
      throw new ConfigError(
        `METRICS_PORT ${port} cannot be opened on METRICS_HOST ${host} (${(error as NodeJS.ErrnoException).code}): set them to a free ` +
          'port, one for each process, and an address of this machine.',
      );
    }
    new Logger('Metrics').log(`Metrics at http://${host}:${this.port}/metrics`);
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, text: string, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...headers }).end(text);
    if (request.url?.split('?', 1)[0] !== '/metrics') return void send(404, 'The metrics are at /metrics.\n');
    if (request.method !== 'GET') return void send(405, 'Use GET.\n', { Allow: 'GET' });
    if (!this.admits(request.headers.authorization))
      return void send(401, 'Send METRICS_TOKEN as a bearer token.\n', { 'WWW-Authenticate': 'Bearer' });
    try {
      send(200, await this.metrics!.scrape(), { 'Content-Type': this.metrics!.contentType });
    } catch (error) {
      new Logger('Metrics').error(error);
      send(500, 'The metrics could not be collected; the log says why.\n');
    }
  }

  private admits(authorization: string | undefined): boolean {
    const token = this.settings.metricsToken?.reveal();
    return token === undefined || timingSafeEqual(hashOf(authorization ?? ''), hashOf(`Bearer ${token}`));
  }
}

/** Of equal length, whatever was sent. */
function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
