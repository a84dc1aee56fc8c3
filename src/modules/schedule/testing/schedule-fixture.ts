import type { Json } from '../../../../test/harness/api-document.js';
import type { Client } from '../../../../test/harness/client.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

export const ORG_SCHEDULE = '/api/v1/org/schedule';
export const EXT_SCHEDULE = '/api/v1/ext/schedule';

interface Created extends Json {
  id: string;
}

/** Creates a calendar as the owner of the workspace. */
export async function makeCalendar(workspace: Workspace, values: Json = {}): Promise<Created> {
  return created(await workspace.signIn(), `${ORG_SCHEDULE}/calendars`, { name: 'Consulting', timezone: 'Europe/Berlin', ...values });
}

/** Adds a resource to a calendar. */
export async function makeResource(workspace: Workspace, calendarId: string, values: Json = {}): Promise<Created> {
  const path = `${ORG_SCHEDULE}/calendars/${calendarId}/resources`;
  return created(await workspace.signIn(), path, { name: 'Room Ada', kind: 'room', ...values });
}

async function created(client: Client, path: string, body: Json): Promise<Created> {
  const response = await client.post(path, body);
  if (response.status !== 201) throw new Error(`POST ${path} answered ${response.status}: ${response.text}`);
  return response.body as Created;
}
