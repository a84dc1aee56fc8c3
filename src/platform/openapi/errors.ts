import { STATUS_CODES } from 'node:http';
import { CommonErrors } from '../../kit/index.js';
import { pascalCase, type ErrorSpec } from '../../kit/internal.js';
import type { Route } from '../registry/route-registry.js';
import { declaredErrors } from './declared-errors.js';
import { errorHeaders } from './headers.js';
import type { SharedParts } from './shared-parts.js';

const E = CommonErrors;
/** Errors that every route for keys can answer; they have one word in the name of a response. */
const TOGETHER = {
  InvalidKey: [E.missingApiKey, E.invalidApiKey, E.apiKeyRevoked, E.apiKeyExpired],
  KeyNotAllowed: [E.apiKeyInactive, E.ipNotAllowed, E.insufficientScope, E.projectScopeMismatch],
};

/**
 * One response per status, with an example for each error it can carry, named by its code. Responses and examples are parts that routes
 * share: a response is named after its errors, an example after `anchorOf`, which identifies the documentation of the error.
 */
export function errorResponses(route: Route, anchorOf: (spec: ErrorSpec) => string, parts: SharedParts) {
  const byStatus = new Map<number, Map<string, ErrorSpec>>();
  for (const spec of declaredErrors(route)) {
    const ofStatus = byStatus.get(spec.status) ?? new Map<string, ErrorSpec>();
    byStatus.set(spec.status, ofStatus.set(anchorOf(spec), spec));
  }
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, specs]) => {
      const sorted = [...specs].sort(([a], [b]) => (a < b ? -1 : 1));
      return [
        String(status),
        parts.refer('responses', nameOf(sorted.map(([anchor]) => anchor)), () => responseOf(route, status, sorted, parts)),
      ];
    }),
  );
}

function nameOf(anchors: readonly string[]): string {
  let left = anchors;
  const words: string[] = [];
  for (const [word, errors] of Object.entries(TOGETHER)) {
    const codes = errors.map(({ spec }) => spec.code);
    if (!codes.every((code) => left.includes(code))) continue;
    words.push(word);
    left = left.filter((anchor) => !codes.includes(anchor));
  }
  return [...words, ...left.map(pascalCase)].sort().join('Or');
}

function responseOf(route: Route, status: number, specs: readonly [string, ErrorSpec][], parts: SharedParts) {
  const codes = new Set(specs.map(([, { code }]) => code));
  const examples: Record<string, object> = {};
  for (const [anchor, spec] of specs) {
    // a route may have two errors with one code
    const name = spec.code in examples ? anchor : spec.code;
    examples[name] = parts.refer('examples', anchor, () => ({ summary: spec.message, value: exampleError(spec, anchor) }));
  }
  return {
    description: `${STATUS_CODES[status]}: ${[...codes].map((code) => `\`${code}\``).join(', ')}.`,
    headers: errorHeaders(status, route),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples } },
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
          plan: { type: 'object', description: 'What the call would do, as its dry run answers.' },
          plan_token: { type: 'string', description: 'Repeat the call with it to do what the plan shows.' },
          request_id: { type: 'string', description: 'Quote it to support.' },
          doc_url: { type: 'string', format: 'uri', description: 'Where this error is explained.' },
        },
      },
    },
  };
}
