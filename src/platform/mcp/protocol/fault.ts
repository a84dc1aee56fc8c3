import type { Json } from './protocol.js';

/** An error that the endpoint itself detects. Errors of a route arrive as the route's own envelope. */
export interface McpFault {
  code: 'validation_failed' | 'missing_fields';
  message: string;
  param?: string;
  details?: { param: string; code: string; message: string }[];
  allowed?: readonly string[];
}

/** The status in the envelope of every fault. */
export const FAULT_STATUS = 400;

/** Renders the REST error envelope as JSON text. */
export type RenderFault = (fault: McpFault, requestId: string) => string;

export const renderFault: RenderFault = (fault, requestId) => {
  const error: Json = { type: 'invalid_request_error', ...fault, request_id: requestId };
  return JSON.stringify({ error });
};

/** The dispatcher renders it as a tool result or as an HTTP 400. */
export class FaultError extends Error {
  readonly fault: McpFault;

  constructor(fault: McpFault) {
    super(fault.message);
    this.fault = fault;
  }
}
