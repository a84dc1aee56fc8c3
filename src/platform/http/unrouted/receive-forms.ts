import type { Readable } from 'node:stream';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { CommonErrors } from '../../../kit/index.js';
import { rawRoute } from '../../registry/route-registry.js';
import { tooLarge } from '../validation/too-large.js';
import { MOST_DISCARDED } from './unread-bodies.js';

/** Uploads to pages, and mails, that one process receives at once: anyone can send them, and each is buffered up to its route's limit. */
const MOST_AT_ONCE = 8;

/** Buffers multipart/form-data bodies, and mails. The body of a page's upload is null if it exceeds the route's limit. */
export function receiveForms(fastify: FastifyInstance): void {
  let receiving = 0;
  const oneOfFew = async <T>(receive: () => Promise<T>): Promise<T> => {
    if (receiving >= MOST_AT_ONCE)
      throw CommonErrors.unavailable({
        message: 'Too many files are being received. Try again shortly.',
        headers: { 'Retry-After': '10' },
      });
    receiving++;
    try {
      return await receive();
    } finally {
      receiving--;
    }
  };
  const limitOf = (request: FastifyRequest) => request.routeOptions.bodyLimit ?? (fastify.initialConfig.bodyLimit as number);
  fastify.addContentTypeParser('message/rfc822', async (request: FastifyRequest, payload: Readable) => {
    const limit = limitOf(request);
    return oneOfFew(() => buffer(request, payload, limit, limit));
  });
  fastify.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: Readable) => {
    const { upload, formLimit } = request.routeOptions.config as { upload?: string; formLimit?: number };
    const limit = formLimit ?? limitOf(request);
    if (upload === undefined) return buffer(request, payload, limit, limit);
    // errors before Nest's guards are pages too
    request.state.route = rawRoute(request.method, request.routeOptions.url ?? request.url, 'public');
    // the page itself explains that a file is too large
    return oneOfFew(() => buffer(request, payload, limit, Math.max(limit, MOST_DISCARDED)));
  });
}

/** Null if the body is larger than `limit`; rejects if it is larger than `most`, and leaves the rest to `discardUnreadBodies`. */
function buffer(request: FastifyRequest, payload: Readable, limit: number, most: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const refuse = () => {
      payload.off('data', onData);
      reject(tooLarge(request));
    };
    let chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else chunks = [];
      if (size > most) refuse();
    };
    if (Number(request.headers['content-length']) > most) return refuse();
    payload.on('data', onData);
    payload.on('end', () => resolve(size > limit ? null : Buffer.concat(chunks)));
    // a client that disconnects is no error of the server
    const incomplete = () => reject(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
    payload.on('error', incomplete);
    payload.on('close', incomplete);
  });
}
