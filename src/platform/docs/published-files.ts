import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { CommonErrors, Lazy } from '../../kit/index.js';
import { preferredType } from '../../kit/internal.js';
import { acceptedEncoding, compress, isCompressible, varyByEncoding, type Encoding } from '../http/compression/compression.js';

type Content = string | Buffer;

const CACHE_CONTROL = { revalidated: 'no-cache', hashed: 'public, max-age=31536000, immutable' };
/** Of the files of a folder. */
const MOST_KEPT = 40;
const FOR_MISSING = ['application/json', 'text/html'];

export interface PublishedFile {
  type: string;
  /** Called once, at the first request; again at the next one after a failure, or if `source` is another. */
  content: () => Content | Promise<Content>;
  /** What the content is made from, if that can change. */
  source?: () => Promise<unknown>;
  /** The Content-Security-Policy of a page. */
  policy?: string;
  /** Whether its address has a hash of its content: browsers never ask again. */
  isHashed?: boolean;
}

/** Throws if the address has made too many requests. */
export type Admission = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Serves files that are the same for everyone: limited by address, and revalidated by their ETag. */
export class PublishedFiles {
  constructor(
    private readonly fastify: FastifyInstance,
    private readonly admit: Admission,
  ) {}

  add(path: string, file: PublishedFile): void {
    const load = loader(file);
    this.fastify.get(path, async (request, reply) => {
      await this.admit(request, reply);
      return send(request, reply, await load());
    });
  }

  /** Files below a folder, found by the rest of their path. The most recent ones are kept. `missing` is what browsers get for others. */
  addBelow(folder: string, find: (rest: string) => Promise<PublishedFile | null>, missing: PublishedFile): void {
    const loadMissing = loader(missing);
    const recent = new LRUCache<string, Loader>({ max: MOST_KEPT });
    this.fastify.get(`${folder}/*`, async (request, reply) => {
      await this.admit(request, reply);
      const rest = (request.params as { '*': string })['*'];
      const file = recent.has(rest) ? null : await find(rest);
      if (file) recent.set(rest, loader(file));
      const load = recent.get(rest);
      if (load) return send(request, reply, await load());
      void reply.header('Vary', 'Accept');
      if (preferredType(request.headers.accept, FOR_MISSING) === FOR_MISSING[0])
        throw CommonErrors.notFound({ message: `There is no such page; ${folder} lists all.` });
      return send(request, reply.status(404), await loadMissing());
    });
  }
}

type Loaded = ReturnType<typeof loadedOf>;
type Loader = ReturnType<typeof loader>;

/** Keeps the file until its source is another. */
function loader(file: PublishedFile): () => Promise<Loaded> {
  let kept = { source: undefined as unknown, loaded: loadedOf(file) };
  return async () => {
    const source = await file.source?.();
    if (source !== kept.source) kept = { source, loaded: loadedOf(file) };
    return kept.loaded;
  };
}

function loadedOf({ type, content, policy, isHashed = false }: PublishedFile) {
  const cacheControl = isHashed ? CACHE_CONTROL.hashed : CACHE_CONTROL.revalidated;
  const file = new Lazy(async () => {
    const body = await content();
    // weak: the same for each encoding of the content
    const etag = `W/"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
    return { body, etag, varies: isCompressible({ contentType: type, cacheControl, body }) };
  });
  const compressed = (encoding: Encoding) => new Lazy(async () => compress((await file.get()).body, encoding));
  return { type, policy, cacheControl, file, encodings: { br: compressed('br'), gzip: compressed('gzip') } };
}

async function send(request: FastifyRequest, reply: FastifyReply, loaded: Loaded): Promise<FastifyReply> {
  const { type, policy, cacheControl, file, encodings } = loaded;
  const { body, etag, varies } = await file.get();
  void reply.header('Cache-Control', cacheControl).header('ETag', etag);
  if (varies) void reply.header('Vary', varyByEncoding(reply.getHeader('Vary')));
  if (policy !== undefined) void reply.header('Content-Security-Policy', policy);
  if (reply.statusCode === 200 && matches(request.headers['if-none-match'], etag)) return reply.status(304).send();
  const encoding = varies ? acceptedEncoding(request.headers['accept-encoding']) : null;
  if (encoding === null) return reply.type(type).send(body);
  return reply
    .type(type)
    .header('Content-Encoding', encoding)
    .send(await encodings[encoding].get());
}

/** The hash of an inline script or style, as a Content-Security-Policy names it. */
export function policyHash(content: string): string {
  return `'sha256-${hash('sha256', content, 'base64')}'`;
}

/** RFC 9110: a list of ETags, compared without regard to `W/`, or `*`. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  const strong = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch?.split(',').some((tag) => tag.trim() === '*' || strong(tag) === strong(etag)) ?? false;
}
