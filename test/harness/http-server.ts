import type { Server } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

// For `TestApp.inside`.

interface Timeouts {
  requestTimeout: number;
  headersTimeout: number;
}

export function serverTimeouts(app: NestFastifyApplication): Timeouts {
  const { requestTimeout, headersTimeout } = app.getHttpServer() as Server;
  return { requestTimeout, headersTimeout };
}

export function setServerTimeouts(app: NestFastifyApplication, timeouts: Timeouts): void {
  Object.assign(app.getHttpServer() as Server, timeouts);
}
