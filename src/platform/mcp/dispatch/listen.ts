import { isObject } from '../../../kit/index.js';
import { subscriptionFrames } from '../list-changes/stream-frames.js';
import { resultMessage, RpcError, type RpcRequest } from '../protocol/json-rpc.js';
import { META, RPC, type Json } from '../protocol/protocol.js';
import { streamResponse, type Exchange, type LocalStep } from './exchange.js';
import type { Results } from './results.js';

/** The response is a stream of the notifications that the client requests, and of its result when this process ends it. */
export const LISTEN = 'subscriptions/listen';

const FLAGS = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'];

export function planListen({ id, method, params }: RpcRequest, { request, revision }: Exchange, results: Results): LocalStep {
  const { notifications } = params;
  if (!isFilter(notifications))
    throw new RpcError(RPC.invalidParams, "Invalid params: 'notifications' is required and must be a valid SubscriptionFilter");
  const honored = notifications['toolsListChanged'] === true ? { toolsListChanged: true } : {};
  const result = results.complete({ _meta: { [META.subscriptionId]: id } }, revision);
  const frames = subscriptionFrames(id, honored, resultMessage(id, JSON.stringify(result)));
  return {
    method,
    routed: false,
    // a stream without notifications ends at once
    run: () => streamResponse('toolsListChanged' in honored ? request.openStream(frames) : frames.opened('') + frames.ended),
  };
}

function isFilter(value: unknown): value is Json {
  if (!isObject(value)) return false;
  const { resourceSubscriptions: uris = [] } = value;
  const areFlags = FLAGS.every((flag) => value[flag] === undefined || typeof value[flag] === 'boolean');
  return areFlags && Array.isArray(uris) && uris.every((uri) => typeof uri === 'string');
}
