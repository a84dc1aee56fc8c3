import type * as Public from './types.js';

export class WorkSuiteError extends Error implements Public.WorkSuiteError {
  override readonly name = 'WorkSuiteError';
  readonly code: string;
  readonly type: string;
  readonly param?: string;
  readonly details: readonly Public.ErrorDetail[];
  readonly allowed?: readonly string[];
  readonly requestId: string;
  readonly docUrl: string;

  constructor(
    readonly operation: string,
    readonly status: number,
    readonly body: Readonly<Record<string, unknown>>,
    readonly retryAfter?: number,
  ) {
    super(String(body.message));
    this.code = String(body.code);
    this.type = String(body.type);
    this.param = body.param as string | undefined;
    this.details = (body.details as Public.ErrorDetail[] | undefined) ?? [];
    this.allowed = body.allowed as string[] | undefined;
    this.requestId = String(body.request_id);
    this.docUrl = String(body.doc_url);
  }
}

export class ConnectionError extends Error implements Public.ConnectionError {
  override readonly name: string = 'ConnectionError';

  constructor(
    readonly operation: string,
    message: string,
    options?: ErrorOptions,
    readonly status?: number,
  ) {
    super(`${operation}: ${message}`, options);
  }
}

export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}
