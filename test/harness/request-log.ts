import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { RequestLog, type RequestLogEntry } from '../../src/platform/request-log/request-log.js';

/** For `TestApp.inside`: writes the entries together, and returns how many were lost. */
export async function writeEntries(app: NestFastifyApplication, entries: RequestLogEntry[]): Promise<number> {
  const log = app.get(RequestLog);
  const lost = log.lost;
  for (const entry of entries) log.record(entry);
  await log.flush();
  return log.lost - lost;
}
