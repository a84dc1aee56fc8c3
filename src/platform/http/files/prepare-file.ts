import type { FastifyReply } from 'fastify';
import type { FileResponse } from '../../../kit/index.js';
import type { EndpointOptions } from '../../../kit/internal.js';
import { contentDisposition } from './content-disposition.js';

/** Prepares the reply for a response that is not JSON: content type, status, headers, file name. */
export function prepareFile(
  { contentType, content, options }: FileResponse,
  reply: FastifyReply,
  endpoint: EndpointOptions | null | undefined,
): void {
  // its serialization fails
  if (endpoint && !endpoint.produces) return;
  const produces = endpoint?.produces;
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
  // Fastify sends buffers and streams as well; only its type is narrower
  void reply.serializer(() => content as string);
}
