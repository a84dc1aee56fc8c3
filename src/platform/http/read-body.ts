import { isUtf8 } from 'node:buffer';
import { CommonErrors } from '../../kit/index.js';

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * Parses a body that the server has only buffered so far. It is read here and not by Fastify's parser, because a refusal
 * of the key must come before anything is said of the body.
 */
export function readJsonBody(raw: unknown, contentType: string | undefined): unknown {
  if (!Buffer.isBuffer(raw) || raw.length === 0) return {};
  if (!contentType || !JSON_TYPE.test(contentType)) throw CommonErrors.unsupportedMediaType({ param: 'Content-Type' });
  if (!isUtf8(raw)) throw CommonErrors.invalidBody({ message: 'The body is not valid UTF-8.' });
  try {
    return JSON.parse(raw.toString('utf8')) as unknown;
  } catch (error) {
    throw CommonErrors.invalidBody({ message: `The body is not valid JSON: ${(error as Error).message}` });
  }
}
