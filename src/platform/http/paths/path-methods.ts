import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { CommonErrors } from '../../../kit/index.js';

/** The methods that each path of the server accepts. */
@Injectable()
export class PathMethods {
  /** By URL, in Fastify's notation. */
  private readonly methods = new Map<string, Set<string>>();
  /** Compiled when the first request needs them: most processes never do. */
  private patterns: [RegExp, Set<string>][] | undefined;

  /** Must be called before any route is added. */
  install(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      // a path with a wildcard accepts what no other path does
      if (url.includes('*')) return;
      const methods = this.methods.get(url) ?? new Set();
      for (const name of [method].flat()) methods.add(name);
      this.methods.set(url, methods);
    });
  }

  /** Throws `method_not_allowed` for a path that exists with other methods. Call it only for a request that no route handles. */
  requireUnknown(method: string, url: string): void {
    const path = url.split('?', 1)[0];
    this.patterns ??= Array.from(this.methods, ([route, methods]) => [patternOf(route), methods]);
    const allowed = new Set(this.patterns.flatMap(([pattern, methods]) => (pattern.test(path) ? [...methods] : [])));
    if (allowed.size === 0 || allowed.has(method)) return;
    throw CommonErrors.methodNotAllowed({
      message: `${method.slice(0, 20)} is not allowed here; use ${[...allowed].join(' or ')}.`,
      allowed: [...allowed],
      headers: { Allow: [...allowed].join(', ') },
    });
  }
}

/** Fastify's notation: `:name` matches a part of a path segment. */
function patternOf(url: string): RegExp {
  const parts = url.split(/:\w+(?:\([^)]*\))?/).map((literal) => literal.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}
