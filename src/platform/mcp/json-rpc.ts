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

/** A JSON-RPC error; `httpStatus` is the transport's answer to it. */
export class RpcError extends Error {
  readonly code: number;
  readonly httpStatus: number;
  readonly data: unknown;

  constructor(code: number, message: string, options: { httpStatus?: number; data?: unknown } = {}) {
    super(message);
    this.code = code;
    this.httpStatus = options.httpStatus ?? 200;
    this.data = options.data;
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
