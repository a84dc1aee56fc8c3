import { memberOperation } from '../../../kit/internal.js';
import type { Route } from '../../registry/route-registry.js';

export const REFERENCE = '/docs/api';
const FOR_MEMBERS = '/for-members/';

export function modulePath(prefix: string): string {
  return `${REFERENCE}/${prefix}`;
}

/** The page of the operations of a collection that only signed-in members can call. */
export function membersPath(prefix: string, collection: string): string {
  return `${modulePath(prefix)}${FOR_MEMBERS}${collection}`;
}

export function isForMembers(path: string): boolean {
  return path.includes(FOR_MEMBERS);
}

/** The segment after the module in `/api/v1/ext/<module>/<collection>`. */
export function collectionOf(path: string): string {
  const segment = path.split('/')[5] ?? '';
  return segment.startsWith('{') ? '' : segment;
}

/** The operations for members that routes for keys declare with theirs. */
export function memberTwinsOf(routes: readonly Route[]): ReadonlySet<string> {
  return new Set(routes.flatMap(({ endpoint }) => (endpoint && memberOperation(endpoint)) ?? []));
}

/** The section on a member operation: that of the operation with keys where both are the same. Undefined if no module has it. */
export function referenceAddress(
  routes: readonly Route[],
  modules: readonly { name: string; prefix: string }[],
  operation: string,
): string | undefined {
  const named = ({ endpoint }: Route, plane: Route['plane']) =>
    endpoint && (plane === 'keyed' ? memberOperation(endpoint) : endpoint.operation) === operation;
  const route = routes.find((one) => one.plane === 'product' && named(one, 'product'));
  const prefix = modules.find(({ name }) => name === route?.module)?.prefix;
  if (!route || prefix === undefined) return undefined;
  const keyed = routes.find((one) => one.plane === 'keyed' && named(one, 'keyed'));
  if (!keyed) return `${membersPath(prefix, collectionOf(route.path) || prefix)}#${operation}`;
  return `${modulePath(prefix)}/${collectionOf(keyed.path) || prefix}#${keyed.endpoint!.operation}`;
}
