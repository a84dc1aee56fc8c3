import { CommonErrors } from '../../../kit/index.js';

/** As names and values are sent by HTTP/1.1. */
const NAME = /^[\w!#$%&'*+.^`|~-]{1,64}$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]{0,1000}$/;
/** What a delivery sets itself, and what belongs to the connection. */
const RESERVED = new RegExp(
  '^(?:(?:svc|content|proxy)-.*|host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|user-agent|date|accept-encoding)$',
  'i',
);

/** Returns the headers that an endpoint adds to its deliveries; throws if one of them cannot be sent. */
export function checkedHeaders(headers: Record<string, unknown>): Record<string, string> {
  const names = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const refuse = (message: string) => CommonErrors.validationFailed({ param: `headers.${name}`, message: `headers.${name} ${message}` });
    if (!NAME.test(name)) throw refuse('must have a name of at most 64 letters, digits and hyphens');
    if (RESERVED.test(name)) throw refuse('is a header that deliveries set themselves; choose another name');
    if (names.has(name.toLowerCase())) throw refuse('is given twice');
    if (typeof value !== 'string' || !VALUE.test(value)) throw refuse('must be a text of at most 1,000 characters, without line breaks');
    names.add(name.toLowerCase());
  }
  return headers as Record<string, string>;
}

/** The owner of the encrypted headers, so that they cannot be mistaken for a signing secret. */
export const headersOwner = (endpointId: string): string => `${endpointId} headers`;
