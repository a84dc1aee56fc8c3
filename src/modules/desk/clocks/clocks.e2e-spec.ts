import { beforeAll, describe, expect, it } from '@jest/globals';
import { countBreaches, makeDueTickets } from '../testing/desk-due-tickets.js';
import { openDesk, ORG_DESK, TICKETS, type TicketBody } from '../testing/desk-fixture.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';

const app = await sharedApp();
const { projectId, owner, client, agentId, statuses, make, get, patch, reply, eventsOf } = await openDesk(app);

const statements = app.inside<typeof import('../../../../test/harness/statements.js')>('test/harness/statements.ts');

const JOB_SECONDS = 15;
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

const policy = async (values: object) => {
  const { status, body, text } = await owner.post(`${ORG_DESK}/sla-policies`, { project_id: projectId, ...values });
  if (status !== 201) throw new Error(text);
  return body as { id: string };
};

describe('clocks', () => {
  beforeAll(async () => {
    const normal = { first_response: 60, next_response: 60, resolution: 240 };
    await policy({ name: 'Timed', tags: ['timed'], targets: { normal, urgent: { first_response: 30, resolution: 120 } } });
  });
  /** As if everything had happened so much earlier. */
  const shift = ({ id }: { id: string }, hours: number) =>
    app.sql.query(
      `UPDATE desk_tickets SET breach_due_at = breach_due_at - $2::interval, sla_due_at = sla_due_at - $2::interval, clocks = (
         SELECT COALESCE(jsonb_object_agg(metric, clock || jsonb_strip_nulls(jsonb_build_object(
           'due_at', to_char(((clock ->> 'due_at')::timestamptz - $2::interval) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'running_since_at', to_char(((clock ->> 'running_since_at')::timestamptz - $2::interval) AT TIME ZONE 'UTC',
             'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))), '{}')
         FROM jsonb_each(clocks) AS c (metric, clock))
       WHERE id = $1`,
      [id, `${hours} hours`],
    );
  const minutesUntil = (time: string) => Math.round((Date.parse(time) - Date.now()) / 60_000);

  it('a priority that is raised while pending keeps the used minutes and the pause', async () => {
    const ticket = await make({ tags: ['Timed'], assignee_id: agentId });
    expect(minutesUntil(ticket.sla.first_response.due_at as string)).toBe(60);
    await shift(ticket, 0.5);
    const pending = await patch(ticket, { status_id: statuses.pending });
    expect([pending.sla_due_at, pending.sla.resolution]).toEqual([null, { due_at: null, met_at: null, breached_at: null, paused: true }]);
    const urgent = await patch(ticket, { priority: 'urgent' });
    expect([urgent.sla.resolution.paused, urgent.sla.next_response]).toEqual([true, null]);
    const open = await patch(ticket, { status_id: statuses.open });
    // 30 of 120 minutes are used, and all 30 of the first response
    expect(minutesUntil(open.sla.resolution.due_at as string)).toBe(90);
    expect(minutesUntil(open.sla.first_response.due_at as string)).toBeCloseTo(0);
  });

  it('a breach is reported once, by the job or by what comes later', async () => {
    const [late, answered] = [await make({ tags: ['timed'] }), await make({ tags: ['timed'] })];
    await shift(late, 2);
    await shift(answered, 2);
    const overdue = await client.get(`${TICKETS}?status_category=unsolved&sla_due_before=${new Date().toISOString()}&sort=sla_due_at`);
    const ids = (overdue.body.data as TicketBody[]).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([late.id, answered.id]));
    await reply(answered, { body: 'Sorry.' });
    await Promise.all([app.runScheduledJob('desk.report_breaches'), app.runScheduledJob('desk.report_breaches')]);
    await app.runScheduledJob('desk.report_breaches');
    for (const ticket of [late, answered]) {
      const breaches = (await eventsOf(ticket)).filter(({ type }) => type === 'ticket.sla_breached');
      expect(breaches).toMatchObject([{ context: { metric: 'first_response' } }]);
    }
    expect((await get(late)).sla.first_response).toMatchObject({ met_at: null, breached_at: expect.any(String) });
    expect((await get(answered)).sla.first_response).toMatchObject({ met_at: expect.any(String), breached_at: expect.any(String) });
  });

  it('changed business hours move due times, so that a breach is reported as of when it happened', async () => {
    const days = [-1, 0, 1].map((day) =>
      inSeconds(day * 86_400)
        .toISOString()
        .slice(0, 10),
    );
    const windows = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: '00:00', end: '24:00' }));
    const { body: hours } = await owner.post(`${ORG_DESK}/business-hours`, {
      project_id: projectId,
      name: 'Every day',
      timezone: 'UTC',
      windows,
      holidays: days,
    });
    const normal = { first_response: 60, resolution: 6000 };
    await policy({ name: 'Open', tags: ['every day'], business_hours_id: hours.id, targets: { normal } });
    const ticket = await make({ tags: ['every day'] });
    await shift(ticket, 2);
    const path = `${ORG_DESK}/business-hours/${hours.id}`;
    const isBreached = async () => (await get(ticket)).sla.first_response.breached_at !== null;
    // by the holidays nobody has worked since the ticket was opened
    await app.runScheduledJob('desk.report_breaches', inSeconds(JOB_SECONDS));
    expect(await isBreached()).toBe(false);
    expect((await owner.patch(path, { holidays: [] })).status).toBe(200);
    await app.runScheduledJob('desk.report_breaches', inSeconds(JOB_SECONDS));
    expect(await isBreached()).toBe(true);
    const settled = await get(ticket);
    expect(minutesUntil(settled.sla.first_response.breached_at as string)).toBe(-60);
    const [{ context }] = (await eventsOf(ticket)).filter(({ type }) => type === 'ticket.sla_breached');
    expect(context).toEqual({ metric: 'first_response', due_at: settled.sla.first_response.breached_at });
    // a holiday after all due times moves none of them
    expect((await owner.patch(path, { holidays: ['2999-01-01'] })).status).toBe(200);
    await app.runScheduledJob('desk.report_breaches', inSeconds(JOB_SECONDS));
    expect(await get(ticket)).toEqual(settled);
  });

  it('a ticket whose breach cannot be reported holds back no other', async () => {
    const [stuck, late] = [await make({ tags: ['timed'] }), await make({ tags: ['timed'] })];
    for (const ticket of [stuck, late]) await shift(ticket, 2);
    // the constraint that keeps breaches single refuses the report
    await app.sql.query(
      `INSERT INTO desk_breaches (id, organization_id, project_id, mode, ticket_id, metric, cycle, due_at)
       SELECT gen_random_uuid(), organization_id, project_id, mode, id, 'first_response', 1, now() FROM desk_tickets WHERE id = $1`,
      [stuck.id],
    );
    await app.runScheduledJob('desk.report_breaches').catch(() => null);
    expect([(await get(stuck)).sla.first_response.breached_at, (await get(late)).sla.first_response.breached_at]).toEqual([
      null,
      expect.any(String),
    ]);
    await app.sql.query('UPDATE desk_tickets SET breach_due_at = NULL WHERE id = $1', [stuck.id]);
  });

  it('those that are due at once are settled with one statement per ticket and few more', async () => {
    const busy = await app.workspace();
    const { client: key } = await busy.key({ module: 'desk' });
    await makeDueTickets(app, { owner: await busy.signIn(), client: key, projectId: busy.eng.id }, 300);
    await statements.recordStatements();
    await app.runScheduledJob('desk.report_breaches');
    const written = /\b(?:desk_tickets|desk_breaches|INTO outbox_events|INTO jobs)\b/;
    const sent = (await statements.takeStatements()).filter((text) => written.test(text));
    expect(await countBreaches(app, busy.organizationId)).toEqual({ due: 0, breaches: 600, events: 600, escalations: 600 });
    expect(sent.length).toBeGreaterThanOrEqual(300);
    expect(sent.length).toBeLessThan(400);
  });

  it('the next response counts only while the requester waits, in cycles of its own', async () => {
    const ticket = await make({ tags: ['timed'], assignee_id: agentId });
    await reply(ticket, { body: 'Try again.' });
    expect((await get(ticket)).sla.next_response).toBeNull();
    for (const cycle of [1, 2]) {
      await reply(ticket, { body: 'No.', as: 'requester' });
      await reply(ticket, { body: 'Still no.', as: 'requester' });
      await shift(ticket, 1.5);
      await app.runScheduledJob('desk.report_breaches');
      expect((await get(ticket)).sla.next_response).toMatchObject({ breached_at: expect.any(String) });
      await reply(ticket, { body: 'And now?' });
      expect((await get(ticket)).sla.next_response).toMatchObject({ met_at: expect.any(String) });
      const { rows } = await app.sql.query(`SELECT cycle FROM desk_breaches WHERE ticket_id = $1 AND metric = 'next_response'`, [
        ticket.id,
      ]);
      expect(rows).toHaveLength(cycle);
    }
    await patch(ticket, { status_id: statuses.solved });
    expect((await get(ticket)).sla.resolution).toMatchObject({ met_at: expect.any(String), paused: false });
    await reply(ticket, { body: 'It is back.', as: 'requester' });
    expect((await get(ticket)).sla.resolution).toMatchObject({ met_at: null, paused: false });
  });
});
