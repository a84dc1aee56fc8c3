import type { Client } from '../../../../test/harness/client.js';
import { makeTicket, ORG_DESK } from './desk-fixture.js';
import type { TestApp } from '../../../../test/harness/test-app.js';

interface Desk {
  owner: Client;
  client: Client;
  projectId: string;
}

/** So many tickets of one project whose first response and solution were due a minute ago. */
export async function makeDueTickets({ sql }: Pick<TestApp, 'sql'>, { owner, client, projectId }: Desk, count: number): Promise<void> {
  const targets = { normal: { first_response: 60, resolution: 60 } };
  const policy = await owner.post(`${ORG_DESK}/sla-policies`, { project_id: projectId, name: 'Due', tags: ['due'], targets });
  if (policy.status !== 201) throw new Error(policy.text);
  const { id } = await makeTicket(client, projectId, { tags: ['due'] });
  const due = new Date(Date.now() - 60_000);
  const clock = { cycle: 1, target_seconds: 3600, used_seconds: 0, due_at: due, met_at: null, breached_at: null };
  const running = { ...clock, running_since_at: new Date(due.getTime() - 3_600_000) };
  await sql.query(
    `INSERT INTO desk_tickets
     SELECT (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'number', 'D-' || n, 'clocks', $2::jsonb,
       'sla_due_at', $3::timestamptz, 'breach_due_at', $3::timestamptz))).*
     FROM desk_tickets t, generate_series(1, $4) AS n WHERE t.id = $1`,
    [id, JSON.stringify({ first_response: running, resolution: running }), due, count],
  );
}

/** How many tickets wait for the job, and what it has reported. */
export async function countBreaches({ sql }: Pick<TestApp, 'sql'>, organizationId: string) {
  const { rows } = await sql.query<{ due: number; breaches: number; events: number; escalations: number }>(
    `SELECT (SELECT count(*)::int FROM desk_tickets WHERE organization_id = $1 AND breach_due_at <= now()) AS due,
       (SELECT count(*)::int FROM desk_breaches WHERE organization_id = $1) AS breaches,
       count(*) FILTER (WHERE type = 'ticket.sla_breached')::int AS events,
       count(*) FILTER (WHERE type = 'ticket.escalated')::int AS escalations
     FROM outbox_events WHERE organization_id = $1`,
    [organizationId],
  );
  return rows[0];
}
