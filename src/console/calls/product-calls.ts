import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { callListener, type HttpResponse, type Routing } from '../../platform/http/inner-call.js';

/** What routes read of the browser's request. */
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

/** Calls the operations of `/api/v1/org` in process for the browser that asked for a page: their rights, limits and rules apply. */
@Injectable()
export class ProductCalls {
  constructor(private readonly adapter: HttpAdapterHost) {}

  /** `path` is the part after `/api/v1/org`. */
  async post<Body = unknown>(request: FastifyRequest, path: string, body: object): Promise<ProductResponse<Body>> {
    const { routing } = this.adapter.httpAdapter.getInstance<{ routing: Routing }>();
    const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
    for (const name of FORWARDED) if (request.headers[name] !== undefined) headers[name] = String(request.headers[name]);
    const call = { method: 'POST', url: `/api/v1/org${path}`, headers, body: JSON.stringify(body) };
    const { status, headers: received, body: text } = await callListener(routing, request.raw, call);
    const content = text.length === 0 ? undefined : (JSON.parse(String(text)) as Body & { error?: ProductError });
    return status < 400 ? { status, headers: received, body: content } : { status, headers: received, error: content?.error };
  }
}
