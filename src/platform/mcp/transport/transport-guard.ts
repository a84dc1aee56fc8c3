import { RpcError } from '../protocol/json-rpc.js';
import { RPC } from '../protocol/protocol.js';
import { header, type Headers } from '../protocol/request-headers.js';

export interface TransportPolicy {
  /** Exact origins of web pages that may call, such as `https://app.example.com`. A request without Origin is no browser's. */
  allowedOrigins: readonly string[];
  /** Host names the endpoint answers to; set it when bound to loopback, where DNS rebinding leads a browser. */
  allowedHosts?: readonly string[];
}

export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The 403 of a request that a web page not named here, or a rebound host name, brought about. */
export function transportRefusal(headers: Headers, policy: TransportPolicy): RpcError | undefined {
  const { allowedOrigins, allowedHosts } = policy;
  const host = header(headers, 'host') ?? '';
  if (allowedHosts !== undefined && !allowedHosts.includes(hostName(`http://${host}`) ?? '')) return forbidden('Host', host);
  const origin = header(headers, 'origin');
  if (origin === undefined || allowedOrigins.includes(origin)) return undefined;
  return allowedHosts?.includes(hostName(origin) ?? '') === true ? undefined : forbidden('Origin', origin);
}

/** The 406 of a client that says it cannot read JSON; one that says nothing can. */
export function acceptRefusal(headers: Headers): RpcError | undefined {
  const accept = header(headers, 'accept');
  if (accept === undefined || accept === '' || /(^|,)\s*(application\/(json|\*)|\*\/\*)\s*(;|,|$)/i.test(accept)) return undefined;
  return new RpcError(RPC.serverError, 'Not Acceptable: Accept must allow application/json', { httpStatus: 406 });
}

function hostName(url: string): string | undefined {
  return URL.parse(url)?.hostname;
}

function forbidden(name: string, value: string): RpcError {
  return new RpcError(RPC.serverError, `Forbidden: ${name} ${value.slice(0, 200)} is not allowed`, { httpStatus: 403 });
}
