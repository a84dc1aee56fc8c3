import type { Readable } from 'node:stream';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { CommonErrors } from '../../../kit/index.js';
import { rawRoute } from '../../registry/route-registry.js';
import { tooLarge } from '../validation/too-large.js';

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
    return oneOfFew(() => buffer(request, payload, limit));
  });
  fastify.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: Readable) => {
    const { upload, formLimit } = request.routeOptions.config as { upload?: string; formLimit?: number };
    const limit = formLimit ?? limitOf(request);
    if (upload === undefined) return buffer(request, payload, limit);
    // errors before Nest's guards are pages too
    request.state.route = rawRoute(request.method, request.routeOptions.url ?? request.url, 'public');
    // the page itself explains that a file is too large
    return oneOfFew(() => buffer(request, payload, limit, () => null));
  });
}

/** `refuse` says what becomes of a body that is larger than `limit`. Its rest is left to `discardUnreadBodies`. */
function buffer<T = never>(
  request: FastifyRequest,
  payload: Readable,
  limit: number,
  refuse = (): T => {
    throw tooLarge(request);
  },
): Promise<Buffer | T> {
  return new Promise((resolve, reject) => {
    const end = () => {
      payload.off('data', onData);
      try {
        resolve(refuse());
      } catch (error) {
        reject(error as Error);
      }
    };
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else end();
    };
    if (Number(request.headers['content-length']) > limit) return end();
    payload.on('data', onData);
    payload.on('end', () => resolve(Buffer.concat(chunks)));
    // a client that disconnects is no error of the server
    const incomplete = () => reject(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
    payload.on('error', incomplete);
    payload.on('close', incomplete);
  });
}
