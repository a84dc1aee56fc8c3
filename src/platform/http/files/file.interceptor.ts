import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { FileResponse } from '../../../kit/index.js';
import type { Route } from '../../registry/route-registry.js';
import { contentDisposition } from './content-disposition.js';
import type { Request } from '../../request/request-state.js';

/** Sends responses that are not JSON: content type, status, headers, file name. */
@Injectable()
export class FileInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const { endpoint } = http.getRequest<Request>().state.route as Route;
    // most routes return only JSON and skip this
    if (endpoint && !endpoint.produces) return next.handle();
    return next
      .handle()
      .pipe(
        map((result: unknown) =>
          result instanceof FileResponse ? send(result, http.getResponse<FastifyReply>(), endpoint?.produces) : result,
        ),
      );
  }
}

function send(
  { contentType, content, options }: FileResponse,
  reply: FastifyReply,
  produces: Readonly<Record<string, string>> | undefined,
): string | Buffer {
  const mediaType = contentType.split(';')[0].trim().toLowerCase();
  if (produces && !Object.hasOwn(produces, mediaType))
    throw new Error(`The route returns ${mediaType}, which its "produces" does not list.`);
  const isText = typeof content === 'string' || mediaType.startsWith('text/');
  void reply.header('Content-Type', isText && !contentType.includes(';') ? `${contentType}; charset=utf-8` : contentType);
  void reply.header('X-Content-Type-Options', 'nosniff');
  const disposition = contentDisposition(options.download === true, options.filename);
  if (disposition) void reply.header('Content-Disposition', disposition);
  if (options.status !== undefined) void reply.status(options.status);
  if (options.headers) void reply.headers(options.headers);
  return content;
}
