import type { ListBody, ProjectDto } from '../../kit/index.js';
import type { ApiKeyDto } from '../../platform/keys/api-keys.dto.js';
import type { RequestLogDto } from '../../platform/request-log/request-logs.dto.js';
import type { WebhookEndpointDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import type { Query } from '../calls/product-calls.js';
import type { Visit } from '../frame/visit.js';

/** What a newcomer has created so far; null where there is nothing, or nothing that the member may see. */
export interface WelcomeState {
  project: ProjectDto | null;
  testKey: ApiKeyDto | null;
  /** The latest one that succeeded. */
  call: RequestLogDto | null;
  /** The latest one, if none has succeeded. */
  refused: RequestLogDto | null;
  endpoint: WebhookEndpointDto | null;
}

export async function welcomeState(visit: Visit): Promise<WelcomeState> {
  const [project, testKey, call, endpoint] = await Promise.all([
    first<ProjectDto>(visit, '/projects'),
    first<ApiKeyDto>(visit, '/developer/api-keys', { mode: 'test', origin: ['console', 'cli'], status: 'active' }),
    first<RequestLogDto>(visit, '/developer/logs', { plane: 'keyed', status_class: '2xx' }),
    first<WebhookEndpointDto>(visit, '/developer/webhook-endpoints'),
  ]);
  const refused = call ? null : await first<RequestLogDto>(visit, '/developer/logs', { plane: 'keyed' });
  return { project, testKey, call, refused, endpoint };
}

/** Whether the member has completed all steps. */
export function isComplete(visit: Visit, { project, testKey, call, endpoint }: WelcomeState): boolean {
  return (
    (project !== null || !visit.can('org.projects.manage')) &&
    (testKey !== null || !visit.can('org.developer.apikeys.manage')) &&
    (call !== null || !visit.can('org.developer.logs.view')) &&
    (endpoint !== null || !visit.can('org.developer.webhooks.manage'))
  );
}

async function first<Item>(visit: Visit, path: string, query: Query = {}): Promise<Item | null> {
  const list = await visit.find<ListBody<Item>>(path, { limit: 1, ...query });
  return list?.data[0] ?? null;
}
