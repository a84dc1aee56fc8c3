import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { CommonErrors } from '../../../kit/index.js';

interface Path {
  pattern: RegExp;
  methods: Set<string>;
}

/** The methods that each path of the server accepts. */
@Injectable()
export class PathMethods {
  private readonly paths = new Map<string, Path>();

  /** Must be called before any route is added. */
  install(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      // a path with a wildcard accepts what no other path does
      if (url.includes('*')) return;
      const path = this.paths.get(url) ?? { pattern: patternOf(url), methods: new Set() };
      for (const name of [method].flat()) path.methods.add(name);
      this.paths.set(url, path);
    });
  }

  /** Throws `method_not_allowed` for a path that exists with other methods. Call it only for a request that no route handles. */
  requireUnknown(method: string, url: string): void {
    const path = url.split('?', 1)[0];
    const allowed = new Set([...this.paths.values()].flatMap(({ pattern, methods }) => (pattern.test(path) ? [...methods] : [])));
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
