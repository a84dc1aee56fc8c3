import type { FastifyInstance } from 'fastify';
import { CommonErrors } from '../../../kit/index.js';
import { mcpAddress } from '../../config/mcp-address.js';
import { resourceMetadata, serverMetadata } from './metadata.js';

export interface DiscoveryOptions {
  /** Called for each request: the port may be known only once the server listens. */
  baseUrl: () => string;
  scopes: () => readonly string[];
}

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';

/** Metadata is the same for everybody; a page of any origin may read it. */
const HEADERS = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=300' };

/** The well-known documents by which a client that knows only the MCP address finds everything else. They never require a key. */
export function registerDiscovery(fastify: FastifyInstance, { baseUrl, scopes }: DiscoveryOptions): void {
  const pathOf = (address: string) => new URL(address).pathname.replace(/\/$/, '');
  const serve = (prefix: string, allowed: () => string[], document: () => Record<string, unknown>) => {
    for (const url of [prefix, `${prefix}/*`]) {
      fastify.get<{ Params: { '*'?: string } }>(url, async ({ params }, reply) => {
        const rest = params['*']?.replace(/\/$/, '');
        if (!allowed().includes(rest === undefined ? '' : `/${rest}`))
          throw CommonErrors.notFound({ message: 'There is no metadata for this path.' });
        return reply.headers(HEADERS).type('application/json; charset=utf-8').send(JSON.stringify(document()));
      });
      fastify.options(url, async (_request, reply) =>
        reply
          .code(204)
          .headers({
            ...HEADERS,
            'Access-Control-Allow-Methods': 'GET',
            'Access-Control-Allow-Headers': 'authorization, mcp-protocol-version',
          })
          .send(),
      );
    }
  };
  // clients that fail to find the document of the path ask for that of the host
  serve(
    RESOURCE,
    () => ['', pathOf(mcpAddress(baseUrl()))],
    () => resourceMetadata(baseUrl(), scopes()),
  );
  serve(
    SERVER,
    () => ['', pathOf(baseUrl())],
    () => serverMetadata(baseUrl(), scopes()),
  );
}
