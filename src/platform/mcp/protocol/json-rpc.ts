import { isUtf8 } from 'node:buffer';
import { isObject } from '../../../kit/index.js';
import { parseJson, UnacceptableJson } from '../../http/validation/parse-json.js';
import { RPC, type Json } from './protocol.js';

export type RequestId = string | number;

export interface RpcRequest {
  kind: 'request';
  id: RequestId;
  method: string;
  params: Json;
}
interface RpcNotification {
  kind: 'notification';
  method: string;
  params: Json;
}
/** A client's response to a request from the server. Only a stateful extension sends such requests. */
export interface RpcResponse {
  kind: 'response';
  id: RequestId;
  body: Json;
}
export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

/** How an error appears in the request log: the status of its envelope and its code in the error catalog. */
export interface LoggedError {
  status: number;
  code: string;
}

export const NOT_FOUND: LoggedError = { status: 404, code: 'not_found' };

/** A JSON-RPC error; `httpStatus` is the status of the HTTP response that carries it. */
export class RpcError extends Error {
  readonly code: number;
  readonly httpStatus: number;
  readonly data: unknown;
  readonly logged: LoggedError | undefined;

  constructor(code: number, message: string, options: { httpStatus?: number; data?: unknown; logged?: LoggedError } = {}) {
    super(message);
    this.code = code;
    this.httpStatus = options.httpStatus ?? 200;
    this.data = options.data;
    this.logged = options.logged;
  }
}

export function loggedErrorOf({ code, logged }: RpcError): LoggedError {
  if (logged !== undefined) return logged;
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

/** Rejects unsafe integers: parsed as a double, they would be echoed as another number. */
function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id));
}

export function parseBody(body: Buffer | string): unknown {
  // decoding would replace what is invalid, and store another text than was sent
  if (typeof body !== 'string' && !isUtf8(body)) throw parseError('the body is not valid UTF-8');
  try {
    return parseJson(body.toString());
  } catch (error) {
    if (error instanceof UnacceptableJson) throw invalidRequest(error.message);
    throw parseError('the body is not valid JSON');
  }
}

function parseError(message: string): RpcError {
  return new RpcError(RPC.parseError, `Parse error: ${message}`, { httpStatus: 400 });
}

export function readMessage(value: unknown): RpcMessage {
  if (!isObject(value)) throw invalidRequest('a message must be a JSON object');
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

/** The tool a message calls, whether it exists or not: `params.name`, or the name in the arguments of `call_tool`. */
export function namedTool(value: unknown): string | undefined {
  if (!isObject(value) || value['method'] !== 'tools/call' || !isObject(value['params'])) return undefined;
  const { name, arguments: args } = value['params'];
  const named = name === 'call_tool' && isObject(args) && typeof args['name'] === 'string' ? args['name'] : name;
  return typeof named === 'string' ? named : undefined;
}

/** The id that the error response to an invalid message may echo. */
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
