import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { Mode } from '../../kit/index.js';
import { fileNameIn } from '../../platform/http/files/content-disposition.js';
import { callForPage, callListener, type InnerCall, type Routing } from '../../platform/http/in-process/inner-call.js';
import type { HttpResponse } from '../../platform/request/server-request.js';

/** The headers of the browser's request that are passed on to routes. */
const FORWARDED = ['cookie', 'host', 'user-agent', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded'];

/** The `error` of an error response. */
export interface ProductError {
  code: string;
  message: string;
  request_id: string;
  param?: string;
  details?: readonly { param: string; message: string }[];
  /** The members that single errors add. */
  [extra: string]: unknown;
}

export interface ProductResponse<Body> {
  status: number;
  headers: HttpResponse['headers'];
  /** Undefined after an error, and for a response without a body. */
  body?: Body;
  error?: ProductError;
}

/** Query parameters; those without a value are left out, a list is sent with commas. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

/** A call that a page makes for its member. */
export interface ProductCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The part after `/api/v1/org`. */
  path: string;
  query?: Query;
  body?: object;
  mode?: Mode;
  /** The media type of the answer; JSON by default. */
  accept?: string;
  /** The CSRF token of the submitted form; required for writes. */
  csrfToken?: string;
  idempotencyKey?: string;
  /** The version that the member saw; any other one is rejected with 412. */
  version?: number;
}

/**
 * Calls the operations of `/api/v1/org` in process on behalf of the browser that requested a page, with all their permissions, limits and
 * rules.
 */
@Injectable()
export class ProductCalls {
  constructor(private readonly adapter: HttpAdapterHost) {}

  /** For the pages of people without a session: the operation itself limits their calls. */
  async post<Body = unknown>(request: FastifyRequest, path: string, body: object): Promise<ProductResponse<Body>> {
    return responseOf(await callListener(this.routing, request.raw, innerCall(request, { method: 'POST', path, body })));
  }

  /** For a page that was charged to its member: the call itself is free. */
  async send<Body = unknown>(request: FastifyRequest, call: ProductCall): Promise<ProductResponse<Body>> {
    return responseOf(await callForPage(this.routing, request.raw, innerCall(request, call)));
  }

  /** An answer that is a file, with its name. */
  async file(request: FastifyRequest, call: ProductCall): Promise<ProductResponse<{ bytes: Buffer; filename: string }>> {
    const response = await callForPage(this.routing, request.raw, innerCall(request, call));
    if (response.status >= 400) return responseOf(response);
    const filename = fileNameIn(String(response.headers['content-disposition']));
    return { ...response, body: { bytes: Buffer.from(response.body), filename } };
  }

  private get routing(): Routing {
    return this.adapter.httpAdapter.getInstance<{ routing: Routing }>().routing;
  }
}

function innerCall(request: FastifyRequest, call: ProductCall): InnerCall {
  const { method, path, query = {}, body, mode, accept = 'application/json', csrfToken, idempotencyKey, version } = call;
  const headers: Record<string, string> = { accept };
  for (const name of FORWARDED) if (request.headers[name] !== undefined) headers[name] = String(request.headers[name]);
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (mode !== undefined) headers['svc-mode'] = mode;
  if (csrfToken !== undefined) headers['x-csrf-token'] = csrfToken;
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  if (version !== undefined) headers['if-match'] = `"${version}"`;
  const parameters = queryText(query);
  const url = `/api/v1/org${path}${parameters && `?${parameters}`}`;
  return { method, url, headers, body: body === undefined ? undefined : JSON.stringify(body) };
}

/** Encoded parameters, without a question mark. */
export function queryText(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined || value === '' || (typeof value === 'object' && value.length === 0)
      ? []
      : [[name, String(value)]],
  );
  return new URLSearchParams(given).toString();
}

function responseOf<Body>({ status, headers, body: text }: HttpResponse): ProductResponse<Body> {
  const content = text.length === 0 ? undefined : (JSON.parse(String(text)) as Body & { error?: ProductError });
  return status < 400 ? { status, headers, body: content } : { status, headers, error: content?.error };
}
