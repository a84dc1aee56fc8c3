import { META, type Json } from '../protocol/protocol.js';
import type { RequestId } from '../protocol/json-rpc.js';
import { header, type Headers } from '../protocol/request-headers.js';

/** What a stream of notifications sends. A `version` identifies a list of tools. */
export interface StreamFrames {
  opened(version: string): string;
  changed(version: string): string;
  ended: string;
  /** The version that the client had when an earlier stream ended. */
  knownVersion?: string;
}

/** How long clients wait before they connect again; the official ones give up after two attempts that fail. */
const RETRY_MS = 10_000;
/** The first revision whose clients expect an event without data, which has the id to resume from. */
const PRIMED_VERSION = '2025-11-25';

/** One message as a server-sent event. */
export function messageFrame(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}

/** Of the standalone stream, which revisions before 2026-07-28 open with GET. */
export function standaloneFrames(headers: Headers): StreamFrames {
  const primed = (header(headers, 'mcp-protocol-version') ?? '') >= PRIMED_VERSION;
  return {
    opened: (version) => `retry: ${RETRY_MS}\nid: ${version}\n${primed ? 'data:\n' : ''}\n`,
    changed: (version) => `id: ${version}\n${listChanged()}`,
    ended: '',
    knownVersion: header(headers, 'last-event-id'),
  };
}

/** Of the request `subscriptions/listen`. `result` is its response, once this process ends the stream. */
export function subscriptionFrames(id: RequestId, honored: Json, result: string): StreamFrames {
  const _meta = { [META.subscriptionId]: id };
  return {
    opened: () => notification('notifications/subscriptions/acknowledged', { notifications: honored, _meta }),
    changed: () => listChanged({ _meta }),
    ended: messageFrame(result),
  };
}

function listChanged(params?: Json): string {
  return notification('notifications/tools/list_changed', params);
}

function notification(method: string, params?: Json): string {
  return messageFrame(JSON.stringify({ jsonrpc: '2.0', method, params }));
}
