import type { ListBody, ProjectDto } from '../../kit/index.js';
import type { ApiKeyDto } from '../../platform/keys/api-keys.dto.js';
import type { RequestLogDto } from '../../platform/request-log/request-logs.dto.js';
import type { WebhookEndpointDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import type { Query } from '../calls/product-calls.js';
import type { Visit } from '../frame/visit.js';

const MOST_KEYS = 50;
const MOST_ENDPOINTS = 20;

/**
 * What a newcomer has created so far; null where there is nothing, or nothing that the member may see. Keys count if they were made in the
 * console, calls if they were made with such a key, and endpoints if they are outside of the suite: those of a demo are none of this.
 */
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
  const [project, keys, endpoints] = await Promise.all([
    some<ProjectDto>(visit, '/projects', { limit: 1 }),
    some<ApiKeyDto>(visit, '/developer/api-keys', { mode: 'test', origin: 'console', status: 'active', limit: MOST_KEYS }),
    some<WebhookEndpointDto>(visit, '/developer/webhook-endpoints', { limit: MOST_ENDPOINTS }),
  ]);
  const calls = { plane: 'keyed', mode: 'test', api_key_id: keys.map(({ id }) => id), limit: 1 };
  const last = async (status_class?: string) =>
    keys.length === 0 ? null : ((await some<RequestLogDto>(visit, '/developer/logs', { ...calls, status_class })).at(0) ?? null);
  const call = await last('2xx');
  return {
    project: project.at(0) ?? null,
    testKey: keys.at(0) ?? null,
    call,
    refused: call ? null : await last(),
    endpoint: endpoints.find(({ url }) => !url.startsWith(`${visit.site.baseUrl}/`)) ?? null,
  };
}

/** The steps that the member may take, in their order, and whether each is done. */
export function progressOf(visit: Visit, { project, testKey, call, endpoint }: WelcomeState): boolean[] {
  const steps: [permission: string, isDone: boolean][] = [
    ['org.projects.manage', project !== null],
    ['org.developer.apikeys.manage', testKey !== null],
    // making the call, and seeing it
    ['org.developer.logs.view', call !== null],
    ['org.developer.logs.view', call !== null],
    ['org.developer.webhooks.manage', endpoint !== null],
  ];
  return steps.filter(([permission]) => visit.can(permission)).map(([, isDone]) => isDone);
}

/** Whether the member has completed all steps. */
export function isComplete(visit: Visit, state: WelcomeState): boolean {
  return progressOf(visit, state).every((isDone) => isDone);
}

/** Whether the member can make the first key of the organization in the console: they need Get started more than the overview. */
export async function isNewcomer(visit: Visit): Promise<boolean> {
  if (!visit.can('org.developer.apikeys.manage')) return false;
  return (await some<ApiKeyDto>(visit, '/developer/api-keys', { origin: 'console', limit: 1 })).length === 0;
}

async function some<Item>(visit: Visit, path: string, query: Query): Promise<Item[]> {
  const list = await visit.find<ListBody<Item>>(path, query);
  return list?.data ?? [];
}
