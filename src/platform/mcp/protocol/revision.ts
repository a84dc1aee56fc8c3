import { isObject } from '../../../kit/index.js';
import { invalidRequest, RpcError, type RpcMessage } from './json-rpc.js';
import {
  ASSUMED_VERSION,
  FIRST_MODERN_VERSION,
  LEGACY_VERSIONS,
  META,
  MODERN_VERSIONS,
  RPC,
  type Json,
  type Revision,
} from './protocol.js';
import { checkStandardHeaders, header, headerMismatch, type Headers } from './request-headers.js';

/**
 * The revision of a message. The body decides, since a proxy may strip headers: a message with the `_meta` envelope is
 * modern (2026-07-28 or later), `initialize` and messages without the envelope are legacy. A header that contradicts the
 * body is an error.
 */
export function revisionOf(message: RpcMessage, headers: Headers): Revision {
  const version = header(headers, 'mcp-protocol-version');
  const namesModern = version !== undefined && version >= FIRST_MODERN_VERSION;
  if (message.kind === 'response') {
    if (namesModern) throw invalidRequest('clients do not post responses since 2026-07-28');
    return legacyRevision(version);
  }
  const meta = message.params['_meta'];
  const envelope = isObject(meta) && META.protocolVersion in meta ? meta : undefined;

  if (message.method === 'initialize' && !isValidEnvelope(envelope)) {
    if (namesModern) throw headerMismatch('initialize exists only in revisions before 2026-07-28');
    return negotiate(message.params['protocolVersion']);
  }
  if (envelope === undefined && !namesModern) return legacyRevision(version);
  // Notifications may come without an envelope; then the header alone names the revision.
  if (message.kind === 'notification' && envelope === undefined) return modernRevision(version as string);
  if (envelope === undefined || !isValidEnvelope(envelope)) throw incompleteEnvelope(isObject(meta) ? meta : {});

  const claimed = envelope[META.protocolVersion] as string;
  if (version !== undefined && version !== claimed) {
    throw headerMismatch(`MCP-Protocol-Version is "${version}", but the body has "${claimed}"`);
  }
  const revision = modernRevision(claimed);
  if (message.kind === 'request') {
    if (version === undefined) throw headerMismatch(`MCP-Protocol-Version is missing; the body has "${claimed}"`);
    checkStandardHeaders(message, headers);
  }
  return revision;
}

function negotiate(requested: unknown): Revision {
  const version = LEGACY_VERSIONS.find((supported) => supported === requested) ?? (LEGACY_VERSIONS[0] as string);
  return { version, modern: false };
}

function legacyRevision(version: string | undefined): Revision {
  if (version === undefined) return { version: ASSUMED_VERSION, modern: false };
  if (LEGACY_VERSIONS.includes(version)) return { version, modern: false };
  throw new RpcError(RPC.serverError, `Bad Request: Unsupported protocol version: ${version}`, {
    httpStatus: 400,
    data: { supported: [...MODERN_VERSIONS, ...LEGACY_VERSIONS], requested: version },
  });
}

function modernRevision(version: string): Revision {
  if (MODERN_VERSIONS.includes(version)) return { version, modern: true };
  throw new RpcError(RPC.unsupportedProtocolVersion, `Unsupported protocol version: ${version}`, {
    httpStatus: 400,
    data: { supported: [...MODERN_VERSIONS], requested: version },
  });
}

function isValidEnvelope(meta: Json | undefined): boolean {
  return meta !== undefined && typeof meta[META.protocolVersion] === 'string' && isObject(meta[META.clientCapabilities]);
}

function incompleteEnvelope(meta: Json): RpcError {
  const missing = [
    ...(typeof meta[META.protocolVersion] === 'string' ? [] : [META.protocolVersion]),
    ...(isObject(meta[META.clientCapabilities]) ? [] : [META.clientCapabilities]),
  ];
  return new RpcError(RPC.invalidParams, `Invalid params: params._meta lacks ${missing.join(', ')}`, {
    httpStatus: 400,
    data: { missing },
  });
}
