import { Socket } from 'node:net';
import type { IncomingMessage } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { callForPage, type Routing } from '../../src/platform/http/in-process/inner-call.js';

/** For `TestApp.inside`: what an export answers that reads a further page of a list. */
export async function partOfFile(app: NestFastifyApplication, url: string, authorization: string): Promise<number> {
  const { routing } = app.getHttpAdapter().getInstance() as unknown as { routing: Routing };
  const outer = { socket: new Socket() } as IncomingMessage;
  return (await callForPage(routing, outer, { method: 'GET', url, headers: { authorization }, body: undefined })).status;
}
