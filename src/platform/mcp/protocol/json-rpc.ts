import { RPC, type Json } from './protocol.js';

export type RequestId = string | number;

export interface RpcRequest {
  kind: 'request';
  id: RequestId;
  method: string;
  params: Json;
}
export interface RpcNotification {
  kind: 'notification';
  method: string;
  params: Json;
}
/** A client's answer to a request of ours; only a stateful extension ever sends one. */
export interface RpcResponse {
  kind: 'response';
  id: RequestId;
  body: Json;
}
export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

/** A refusal in the words of the REST API, for the log: the status of the envelope and a code of the catalogue. */
export interface Refusal {
  status: number;
  code: string;
}

export const NOT_FOUND: Refusal = { status: 404, code: 'not_found' };

/** A JSON-RPC error; `httpStatus` is the transport's answer to it. */
export class RpcError extends Error {
  readonly code: number;
  readonly httpStatus: number;
  readonly data: unknown;
  readonly refusal: Refusal | undefined;

  constructor(code: number, message: string, options: { httpStatus?: number; data?: unknown; refusal?: Refusal } = {}) {
    super(message);
    this.code = code;
    this.httpStatus = options.httpStatus ?? 200;
    this.data = options.data;
    this.refusal = options.refusal;
  }
}

export function refusalOf({ code, refusal }: RpcError): Refusal {
  if (refusal !== undefined) return refusal;
  switch (code) {
    case RPC.parseError:
    case RPC.invalidRequest:
      return { status: 400, code: 'invalid_body' };
    case RPC.methodNotFound:
      return NOT_FOUND;
    case RPC.internalError:
      return { status: 500, code: 'internal_error' };
    default:
      return { status: 400, code: 'validation_failed' };
  }
}

export function invalidRequest(message: string): RpcError {
  return new RpcError(RPC.invalidRequest, `Invalid Request: ${message}`, { httpStatus: 400 });
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An unsafe integer is refused: parsed as a double, it would be echoed as another number. */
function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id));
}

export function parseBody(body: Buffer | string): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : body.toString('utf8')) as unknown;
  } catch {
    throw new RpcError(RPC.parseError, 'Parse error: the body is not valid JSON', { httpStatus: 400 });
  }
}

export function readMessage(value: unknown): RpcMessage {
  if (!isObject(value)) throw invalidRequest('a message is one JSON object');
  if (value['jsonrpc'] !== '2.0') throw invalidRequest('"jsonrpc" must be "2.0"');
  const { id, method, params } = value;
  if (method === undefined && ('result' in value || 'error' in value)) {
    if (!isRequestId(id)) throw invalidRequest('"id" of a response must be a string or an integer');
    return { kind: 'response', id, body: value };
  }
  if (typeof method !== 'string' || method === '') throw invalidRequest('"method" must be a string');
  if (params !== undefined && !isObject(params)) throw invalidRequest('"params" must be an object');
  if (!('id' in value)) return { kind: 'notification', method, params: params ?? {} };
  if (!isRequestId(id)) throw invalidRequest('"id" must be a string or an integer');
  return { kind: 'request', id, method, params: params ?? {} };
}

const LONGEST_NAME = 100;

/** The tool a message wants called, whether it exists or not: by name, or in `call_tool`'s arguments. */
export function namedTool(value: unknown): string | undefined {
  if (!isObject(value) || value['method'] !== 'tools/call' || !isObject(value['params'])) return undefined;
  const { name, arguments: args } = value['params'];
  const named = name === 'call_tool' && isObject(args) && typeof args['name'] === 'string' ? args['name'] : name;
  return typeof named === 'string' ? named.slice(0, LONGEST_NAME) : undefined;
}

/** The id an error may echo when the message was not understood as a whole. */
export function echoableId(value: unknown): RequestId | null {
  return isObject(value) && typeof value['method'] === 'string' && isRequestId(value['id']) ? value['id'] : null;
}

export function resultMessage(id: RequestId, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultJson}}`;
}

export function errorMessage(id: RequestId | null, error: RpcError): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code: error.code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) },
  });
}
