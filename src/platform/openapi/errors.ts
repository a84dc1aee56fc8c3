import { STATUS_CODES } from 'node:http';
import type { ErrorSpec } from '../../kit/internal.js';

/** One response per status, with an example for each error it can carry, named by its code. `anchorOf` identifies its documentation. */
export function errorResponses(errors: readonly ErrorSpec[], anchorOf: (spec: ErrorSpec) => string) {
  const byStatus = new Map<number, Map<string, ErrorSpec>>();
  for (const spec of errors) {
    const examples = byStatus.get(spec.status) ?? new Map<string, ErrorSpec>();
    // a route may have two errors with one code
    const other = examples.get(spec.code);
    byStatus.set(spec.status, examples.set(other && other !== spec ? anchorOf(spec) : spec.code, spec));
  }
  return Object.fromEntries(
    [...byStatus].sort(([a], [b]) => a - b).map(([status, examples]) => [String(status), responseOf(status, [...examples], anchorOf)]),
  );
}

function responseOf(status: number, specs: readonly [string, ErrorSpec][], anchorOf: (spec: ErrorSpec) => string) {
  const codes = new Set(specs.map(([, { code }]) => `\`${code}\``));
  return {
    description: `${STATUS_CODES[status]}: ${[...codes].join(', ')}.`,
    headers: {
      'Request-Id': { $ref: '#/components/headers/Request-Id' },
      ...(status === 429 || status === 503 ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } : {}),
      ...(status === 401 ? { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } } : {}),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(
          specs.map(([name, spec]) => [name, { summary: spec.message, value: exampleError(spec, anchorOf(spec)) }]),
        ),
      },
    },
  };
}

function exampleError({ type, code, message }: ErrorSpec, anchor: string) {
  return {
    error: {
      type,
      code,
      message,
      request_id: 'req_8f1c2d3e4b5a49768c0d1e2f3a4b5c6d',
      doc_url: `https://suite.example.com/docs/errors#${anchor}`,
    },
  };
}

const DETAIL = {
  type: 'object',
  required: ['param', 'code', 'message'],
  properties: {
    param: { type: 'string', description: 'The invalid field.' },
    code: { type: 'string', description: 'What is wrong with it: missing, wrong_type, invalid_value or unknown.' },
    message: { type: 'string', description: 'The same in words.' },
    allowed: { type: 'array', items: { type: 'string' }, description: 'The valid values, when there are few.' },
  },
};

/** The schema of the error envelope. */
export function errorSchema() {
  return {
    type: 'object',
    description: 'The body of every error response.',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        description: 'What went wrong.',
        required: ['type', 'code', 'message', 'request_id', 'doc_url'],
        properties: {
          type: { type: 'string', description: 'The kind of error.' },
          code: { type: 'string', description: 'The error itself; switch on it.' },
          message: { type: 'string', description: 'What to do about it, for people.' },
          param: {
            type: 'string',
            description: 'The invalid field: a dotted path into the body, or the name of a query parameter or header.',
          },
          details: { type: 'array', maxItems: 50, description: 'The invalid fields.', items: DETAIL },
          omitted_details: {
            type: 'integer',
            description: 'The number of further invalid fields that were found and are not listed; absent if there are none.',
          },
          allowed: { type: 'array', items: { type: 'string' }, description: 'The valid values, when there are few.' },
          required_scope: { type: 'string', description: 'The scope that the key lacks.' },
          required_permission: { type: 'string', description: 'The permission that the role lacks.' },
          request_id: { type: 'string', description: 'Quote it to support.' },
          doc_url: { type: 'string', format: 'uri', description: 'Where this error is explained.' },
        },
      },
    },
  };
}
