import { Readable } from 'node:stream';
import { text as read } from 'node:stream/consumers';
import { FIXTURE_SCOPES, fixtureDocument, fixtureGuides } from './fixture-openapi.js';
import type { HttpResponse } from '../../src/platform/request/server-request.js';
import type { CallRequest } from '../../src/platform/http/in-process/tool-call.js';
import { McpDispatcher } from '../../src/platform/mcp/dispatch/dispatcher.js';
import type { McpRequest } from '../../src/platform/mcp/dispatch/exchange.js';
import { META, type Json } from '../../src/platform/mcp/protocol/protocol.js';
import { buildCatalog } from '../../src/platform/mcp/catalog/tool-catalog.js';

export const MODERN = '2026-07-28';
export const envelope = {
  [META.protocolVersion]: MODERN,
  [META.clientCapabilities]: {},
  [META.clientInfo]: { name: 'spec', version: '1' },
};
export const REST_NOTE = '{"object":"note","id":"1","text":"a \\"b\\" é"}';

export interface Options {
  headers?: Record<string, string>;
  query?: Record<string, unknown>;
  scopes?: readonly string[];
}

/** A dispatcher over the fixture catalog that records calls, admitted messages and logged errors. */
export class DispatcherHarness {
  calls: CallRequest[] = [];
  admitted: unknown[] = [];
  loggedErrors: unknown[] = [];
  response: HttpResponse = {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', 'ratelimit-remaining': 59, etag: '"1"' },
    body: REST_NOTE,
  };
  private readonly dispatcher = new McpDispatcher({
    catalog: buildCatalog(fixtureDocument),
    serverInfo: { name: 'fixture', version: '1.0.0' },
    guides: fixtureGuides,
  });

  async post(body: unknown, { headers = {}, query = {}, scopes = FIXTURE_SCOPES }: Options = {}) {
    const request: McpRequest = {
      headers,
      query,
      body: typeof body === 'string' ? Buffer.from(body) : body,
      requestId: 'req_1',
      auth: { scopes: new Set(scopes), cacheKey: scopes.join(' ') },
      call: async (call) => {
        this.calls.push(call);
        return this.response;
      },
      openStream: (frames) => Readable.from([frames.opened(''), frames.changed(''), frames.ended]),
      admit: (message) => void this.admitted.push(message),
      logError: (error) => void this.loggedErrors.push(error),
    };
    const response = await this.dispatcher.handle(request);
    const text = response.body instanceof Readable ? await read(response.body) : String(response.body ?? '');
    const isStream = response.headers['content-type'] === 'text/event-stream';
    return {
      ...response,
      text,
      json: text === '' || isStream ? undefined : (JSON.parse(text) as { id: unknown; result: Json; error: Json & { code: number } }),
    };
  }

  legacy(method: string, params?: Json, options?: Options) {
    return this.post({ jsonrpc: '2.0', id: 7, method, ...(params && { params }) }, options);
  }

  modern(method: string, params: Json = {}, options: Options = {}) {
    const name = params['name'] ?? params['uri'];
    const headers = {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': String(name) }),
      ...options.headers,
    };
    return this.post({ jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: envelope } }, { ...options, headers });
  }
}

export const fault = (result: Json | undefined): Json => (result?.['structuredContent'] as { error: Json }).error;
