import { ConfigError } from '../../../kit/index.js';
import { acceptableRegistration, UnacceptableMetadata } from './client-metadata.js';
import type { Json } from './json.js';

const ID = /^[\w.-]{1,100}$/;
const LEAST_SECRET = 32;

/** The clients of the setting OAUTH_CLIENTS by id, as the library reads them. */
export function configuredClients(given: readonly Json[]): ReadonlyMap<string, Json> {
  const clients = new Map<string, Json>();
  for (const [index, { client_id, client_secret, ...metadata }] of given.entries()) {
    const at = `OAUTH_CLIENTS[${index}]`;
    if (typeof client_id !== 'string' || !ID.test(client_id) || clients.has(client_id))
      throw new ConfigError(`${at}.client_id must be a unique name of letters, digits, ".", "_" and "-".`);
    if (client_secret !== undefined && (typeof client_secret !== 'string' || client_secret.length < LEAST_SECRET))
      throw new ConfigError(`${at}.client_secret must be a random string of at least ${LEAST_SECRET} characters.`);
    const accepted = accept(at, { token_endpoint_auth_method: client_secret === undefined ? 'none' : 'client_secret_basic', ...metadata });
    if ((accepted.token_endpoint_auth_method === 'none') !== (client_secret === undefined))
      throw new ConfigError(`${at}.token_endpoint_auth_method must be none for a client without client_secret, and only then.`);
    clients.set(client_id, { client_id, ...accepted, ...(client_secret === undefined ? {} : { client_secret }) });
  }
  return clients;
}

function accept(at: string, metadata: Json): Json {
  try {
    return acceptableRegistration(metadata);
  } catch (error) {
    throw error instanceof UnacceptableMetadata ? new ConfigError(`${at}: ${error.message}.`) : error;
  }
}
