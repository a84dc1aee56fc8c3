import type { TestApp } from './test-app.js';
import type { Workspace } from './workspace.js';

export interface StoredEvent {
  type: string;
  data: { object: Record<string, unknown>; previous_attributes: object; context: Record<string, unknown> };
}

/** All events of an organization, in order. */
export async function eventsOf({ sql }: TestApp, { organizationId }: Workspace): Promise<StoredEvent[]> {
  const { rows } = await sql.query<{ body: string }>('SELECT body FROM outbox_events WHERE organization_id = $1 ORDER BY sequence', [
    organizationId,
  ]);
  return rows.map(({ body }) => JSON.parse(body) as StoredEvent);
}
