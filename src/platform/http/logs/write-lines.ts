import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { inWork } from '../../../kit/internal.js';
import type { AppConfig } from '../../config/settings.js';
import { LogLine } from '../../logging/log-line.js';
import { logs, logsEnds } from '../../logging/logger.js';
import type { Request } from '../../request/request-state.js';
import { afterResponse } from './after-response.js';

export type LineSettings = Pick<AppConfig, 'logLevel' | 'logRequests' | 'slowRequestMs'>;

const HEALTH = /^\/health(\/|$)/;

/** Writes a line for each request when it ends, and a warning for a slow one. Install it after every hook that changes the response. */
export function writeLines(fastify: FastifyInstance, settings: LineSettings): void {
  const log = new Logger('Requests');
  const logged = logsEnds(settings);
  const slowMs = logs('warn', settings) && settings.slowRequestMs > 0 ? settings.slowRequestMs : Infinity;
  if (!logged.usual && slowMs === Infinity) return;
  afterResponse(fastify, (request, reply) => {
    const milliseconds = request.state.latencyMs;
    const isSlow = milliseconds >= slowMs;
    const isQuiet = !isSlow && logged.usual && isQuietRequest(request);
    if (!isSlow && !logged[isQuiet ? 'quiet' : 'usual']) return;
    inWork(request.work, () => {
      const line = lineOf(request, reply, milliseconds, isSlow);
      if (isSlow) log.warn(line);
      else if (isQuiet) log.debug(line);
      else log.log(line);
    });
  });
}

function lineOf(request: Request, reply: FastifyReply, milliseconds: number, isSlow: boolean): LogLine {
  const bytes = Number(reply.getHeader('content-length') ?? NaN);
  return new LogLine(`${isSlow ? 'Slow request: ' : ''}${request.work.operation}`, {
    method: request.method,
    status: request.state.rejection?.status ?? reply.statusCode,
    code: request.state.rejection?.code ?? request.state.errorCode ?? undefined,
    duration_ms: Math.round(milliseconds * 10) / 10,
    bytes: Number.isNaN(bytes) ? undefined : bytes,
  });
}

/** A page or a tool has a line of its own; what it calls is for those who look closer. */
function isQuietRequest({ state, routeOptions }: Request): boolean {
  return state.partOfPage || HEALTH.test(routeOptions.url ?? '');
}
