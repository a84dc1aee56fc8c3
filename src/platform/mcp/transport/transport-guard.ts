import { RpcError } from '../protocol/json-rpc.js';
import { RPC } from '../protocol/protocol.js';
import { header, type Headers } from '../protocol/request-headers.js';

export interface TransportPolicy {
  /** Exact origins of web pages that may call, such as `https://app.example.com`. Requests without Origin come from no browser. */
  allowedOrigins: readonly string[];
  /** Accepted host names. Set them when the server listens on loopback, to prevent DNS rebinding. */
  allowedHosts?: readonly string[];
}

export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The 403 for a page of another origin or a host name that is not allowed. */
export function transportError(headers: Headers, policy: TransportPolicy): RpcError | undefined {
  const { allowedOrigins, allowedHosts } = policy;
  const host = header(headers, 'host') ?? '';
  if (allowedHosts !== undefined && !isAllowedHost(host, allowedHosts)) return forbidden('Host', host);
  const origin = header(headers, 'origin');
  if (origin === undefined || allowedOrigins.includes(origin)) return undefined;
  return allowedHosts?.includes(hostName(origin) ?? '') === true ? undefined : forbidden('Origin', origin);
}

/** The 406 for a client whose Accept header excludes JSON. */
export function acceptError(headers: Headers): RpcError | undefined {
  const accept = header(headers, 'accept');
  if (accept === undefined || accept === '' || /(^|,)\s*(application\/(json|\*)|\*\/\*)\s*(;|,|$)/i.test(accept)) return undefined;
  return new RpcError(RPC.serverError, 'Not Acceptable: Accept must allow application/json', { httpStatus: 406 });
}

/**
 * The last host that was allowed, by list: clients send the same host each time, and parsing a URL takes as long as parsing a small
 * message.
 */
const lastAllowed = new WeakMap<readonly string[], string>();

function isAllowedHost(host: string, allowedHosts: readonly string[]): boolean {
  if (lastAllowed.get(allowedHosts) === host) return true;
  if (!allowedHosts.includes(hostName(`http://${host}`) ?? '')) return false;
  lastAllowed.set(allowedHosts, host);
  return true;
}

function hostName(url: string): string | undefined {
  return URL.parse(url)?.hostname;
}

function forbidden(name: string, value: string): RpcError {
  return new RpcError(RPC.serverError, `Forbidden: ${name} ${value.slice(0, 200)} is not allowed`, { httpStatus: 403 });
}
