import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../test/kit/client.js';
import { countBreaches, makeDueTickets } from '../../../test/kit/desk-due-tickets.js';
import { EXT_DESK, makeAgent, makeTicket, ORG_DESK, statusesOf, type TicketBody } from '../../../test/kit/desk-fixture.js';
import { sharedApp } from '../../../test/kit/hosted-app.js';
import { eventsOf as allEvents } from '../../../test/kit/outbox.js';

const TICKETS = `${EXT_DESK}/tickets`;
const HOUR_MS = 3_600_000;
const app = await sharedApp();
const space = await app.workspace();
const projectId = space.eng.id;
const face = app.inside<typeof import('../../../test/kit/desk-mails.js')>('test/kit/desk-mails.ts');
const owner = await space.signIn();
const { client } = await space.key({ module: 'desk' });
const agentId = await makeAgent(owner, projectId, space.owner.id);
const statuses = await statusesOf(client, projectId);

const make = (values: object = {}, by: Client = client) => makeTicket(by, projectId, values);
const get = async ({ id }: { id: string }) => (await client.get(`${TICKETS}/${id}`)).body as TicketBody;
const patch = async ({ id }: { id: string }, values: object) => {
  const { status, body, text } = await client.patch(`${TICKETS}/${id}`, values);
  if (status !== 200) throw new Error(text);
  return body as TicketBody;
};
const reply = async ({ id }: { id: string }, values: object) => {
  const { status, body, text } = await client.post(`${TICKETS}/${id}/replies`, values);
  if (status !== 201) throw new Error(text);
  return body as { id: string; ticket_id: string; delivery: { status: string } | null; author: object; body: string };
};
const messagesOf = async ({ id }: { id: string }, query = '') =>
  (await client.get(`${TICKETS}/${id}/messages?limit=100${query}`)).body.data as {
    kind: string;
    body: string;
    original_ticket_id: string | null;
  }[];
const eventsOf = async ({ id }: { id: string }) =>
  (await allEvents(app, space))
    .filter(({ data }) => data.object.id === id)
    .map(({ type, data }) => ({ type, context: data.context as Record<string, unknown> }));
const refusal = ({ status, body }: { status: number; body: { error: { code: string; param?: string } } }) => [
  status,
  body.error.code,
  body.error.param,
];
const policy = async (values: object) => {
  const { status, body, text } = await owner.post(`${ORG_DESK}/sla-policies`, { project_id: projectId, ...values });
  if (status !== 201) throw new Error(text);
  return body as { id: string };
};

describe('opening', () => {
  it('finds the requester whatever the case, knows the contact, and numbers live and test tickets apart', async () => {
    const { client: crm } = await space.key({ module: 'crm' });
    const contact = await crm.post('/api/v1/ext/crm/contacts', { project_id: projectId, full_name: 'Ida', email: 'Ida@Customer.example' });
    const first = await make({
      requester: { email: 'IDA@customer.example', name: 'Ida' },
      cc_emails: ['ida@customer.example', 'B@x.example'],
    });
    const second = await make({ requester: { email: 'ida@customer.example' } });
    expect(second.requester).toEqual({ email: 'ida@customer.example', name: 'Ida', contact_id: contact.body.id });
    expect([first.requester, first.cc_emails]).toEqual([second.requester, ['b@x.example']]);
    expect(Number(second.number.slice(2))).toBeGreaterThan(Number(first.number.slice(2)));
    const test = await space.key({ module: 'desk', mode: 'test' });
    expect((await make({}, test.client)).number).toBe('TEST-T-1');
    const found = await client.get(`${TICKETS}?requester_email=Ida@CUSTOMER.example&sort=created_at`);
    expect((found.body.data as TicketBody[]).map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  it('is new, open with an assignee; an external id is there once', async () => {
    const plain = await make({ external_id: 'shop-1' });
    expect([plain.status_category, plain.channel, plain.sla]).toEqual([
      'new',
      'api',
      { first_response: null, next_response: null, resolution: null },
    ]);
    expect((await make({ assignee_id: agentId })).status_category).toBe('open');
    const body = { project_id: projectId, subject: 'x', requester: { email: 'a@x.example' }, message: 'x', external_id: 'shop-1' };
    const again = await client.post(TICKETS, body);
    expect([refusal(again), again.body.error.existing_id]).toEqual([[409, 'duplicate', 'external_id'], plain.id]);
    expect(refusal(await client.post(TICKETS, { ...body, external_id: null, status_id: statuses.solved }))).toEqual([
      400,
      'assignee_required',
      'assignee_id',
    ]);
  });

  it('is hidden from a key of another project', async () => {
    const { client: pinned } = await space.key({ module: 'desk', project_id: space.ops.id });
    const ticket = await make();
    expect((await pinned.get(`${TICKETS}/${ticket.id}`)).status).toBe(404);
    expect((await pinned.get(TICKETS)).body.data).toEqual([]);
  });
});

describe('statuses', () => {
  it('open by the first answer or an assignment, and never become new again', async () => {
    const answered = await make();
    await reply(answered, { body: 'Switch it off.' });
    expect(await get(answered)).toMatchObject({ status_category: 'open', version: 2 });
    const assigned = await patch(await make(), { assignee_id: agentId });
    expect(assigned.status_category).toBe('open');
    const back = await client.patch(`${TICKETS}/${assigned.id}`, { status_id: statuses.new });
    expect(refusal(back)).toEqual([400, 'invalid_transition', 'status_id']);
    expect(back.body.error.allowed).toContain(statuses.solved);
    expect((await eventsOf(assigned)).map(({ type, context }) => [type, context.trigger])).toEqual([
      ['ticket.created', undefined],
      ['ticket.updated', undefined],
      ['ticket.status_changed', 'assignment'],
    ]);
  });

  it('reopen when the requester writes; closed tickets are followed up', async () => {
    const ticket = await make({ assignee_id: agentId });
    const sent = await reply(ticket, { body: 'Done?', status_id: statuses.pending });
    expect(sent).toMatchObject({ delivery: { status: 'held' }, author: { type: 'agent' } });
    await patch(ticket, { snoozed_until_at: new Date(Date.now() + HOUR_MS).toISOString() });
    await reply(ticket, { body: 'No.', as: 'requester' });
    expect(await get(ticket)).toMatchObject({ status_category: 'open', snoozed_until_at: null });
    await patch(ticket, { status_id: statuses.solved });
    await reply(ticket, { body: 'Still not.', as: 'requester' });
    expect(await get(ticket)).toMatchObject({ status_category: 'open', solved_at: null });
    await patch(ticket, { status_id: statuses.solved });
    const closed = await patch(ticket, { status_id: statuses.closed });
    expect(closed.closed_at).not.toBeNull();
    for (const call of [
      client.patch(`${TICKETS}/${ticket.id}`, { subject: 'x' }),
      client.post(`${TICKETS}/${ticket.id}/replies`, { body: 'x' }),
      client.post(`${TICKETS}/${ticket.id}/notes`, { body: 'x' }),
    ])
      expect(refusal(await call).slice(0, 2)).toEqual([409, 'ticket_closed']);
    const later = await reply(ticket, { body: 'It is back.', as: 'requester' });
    const next = await get({ id: later.ticket_id });
    expect(next).toMatchObject({ follow_up_of_id: ticket.id, status_category: 'new', subject: ticket.subject });
    expect((await get(ticket)).version).toBe(closed.version);
    await expect(app.sql.query(`UPDATE desk_tickets SET subject = 'x' WHERE id = $1`, [ticket.id])).rejects.toThrow('read-only');
    await expect(app.sql.query(`UPDATE desk_messages SET body = 'x' WHERE ticket_id = $1`, [ticket.id])).rejects.toThrow('never changed');
  });

  it('close some days after solving, and snoozes end, by jobs', async () => {
    const [solved, snoozed] = [await make({ assignee_id: agentId }), await make()];
    await patch(solved, { status_id: statuses.solved });
    await patch(snoozed, { snoozed_until_at: new Date(Date.now() + HOUR_MS).toISOString() });
    expect(refusal(await client.patch(`${TICKETS}/${snoozed.id}`, { snoozed_until_at: '2020-01-01T00:00:00Z' }))).toEqual([
      400,
      'validation_failed',
      'snoozed_until_at',
    ]);
    const inDays = (days: number) => new Date(Date.now() + days * 24 * HOUR_MS + 1000);
    await app.runScheduledJob('desk.close_solved', inDays(3));
    expect((await get(solved)).status_category).toBe('solved');
    await app.runScheduledJob('desk.close_solved', inDays(4));
    await app.runScheduledJob('desk.end_snoozes', inDays(1));
    expect([(await get(solved)).status_category, (await get(snoozed)).snoozed_until_at]).toEqual(['closed', null]);
    expect((await eventsOf(solved)).at(-1)).toMatchObject({
      type: 'ticket.status_changed',
      context: { from: 'solved', trigger: 'auto_close' },
    });
  });
});

describe('messages', () => {
  it('take canned responses, and notes are internal', async () => {
    const canned = await owner.post(`${ORG_DESK}/canned-responses`, {
      project_id: projectId,
      name: 'Hello',
      body: 'Hello {{requester.name}}, {{ticket.number}} {{unknown}}',
    });
    const ticket = await make();
    const sent = await reply(ticket, { canned_response_id: canned.body.id });
    expect(sent.body).toBe(`Hello Ada Lovelace, ${ticket.number} {{unknown}}`);
    const solving = await client.post(`${TICKETS}/${ticket.id}/replies`, { body: 'x', status_id: statuses.solved });
    expect(refusal(solving)).toEqual([400, 'assignee_required', 'status_id']);
    await client.post(`${TICKETS}/${ticket.id}/notes`, { body: 'Cable.' });
    expect((await messagesOf(ticket)).map(({ kind }) => kind)).toEqual(['public', 'public', 'internal']);
    expect(await messagesOf(ticket, '&kind=internal')).toMatchObject([{ body: 'Cable.', delivery: null }]);
    const both = await client.post(`${TICKETS}/${ticket.id}/replies`, { body: 'x', canned_response_id: canned.body.id });
    expect([refusal(both), refusal(await client.post(`${TICKETS}/${ticket.id}/replies`, {}))]).toEqual([
      [400, 'validation_failed', 'canned_response_id'],
      [400, 'missing_fields', 'body'],
    ]);
  });

  it('have files that browsers save and do not run', async () => {
    const { data } = (await client.get(`${EXT_DESK}/queues?project_id=${projectId}`)).body as { data: { id: string }[] };
    const file = { projectId, queueId: data[0].id, mediaType: 'text/html', content: '<script>alert(1)</script>' };
    const { ticketId, attachmentId } = await face.openWithFile(space.organizationId, 'live', file);
    expect(await messagesOf({ id: ticketId })).toMatchObject([{ attachments: [{ id: attachmentId, size_bytes: 25 }] }]);
    const { body } = await client.get(`${EXT_DESK}/attachments/${attachmentId}`);
    expect(body).toMatchObject({ text: file.content, text_truncated: false });
    const response = await fetch(body.download_url as string);
    expect([response.status, await response.text()]).toEqual([200, file.content]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringContaining('attachment'),
      'x-content-type-options': 'nosniff',
    });
    expect((await fetch(`${body.download_url as string}x`)).status).toBe(404);
  });
});

describe('merging', () => {
  it('moves the messages, closes the duplicate for good, and tells once', async () => {
    const [target, source] = [await make(), await make({ requester: { email: 'eve@customer.example' } })];
    const { status, body } = await client.post(`${TICKETS}/${source.id}/merge`, { into_id: target.id });
    expect([status, body.id, body.cc_emails]).toEqual([200, target.id, []]);
    expect(await get(source)).toMatchObject({ status_category: 'closed', merged_into_id: target.id });
    const moved = (await messagesOf(target)).filter(({ original_ticket_id }) => original_ticket_id === source.id);
    expect(moved).toHaveLength(1);
    expect((await messagesOf(source)).map(({ kind }) => kind)).toEqual(['system']);
    expect((await eventsOf(source)).map(({ type }) => type)).toEqual(['ticket.created', 'ticket.status_changed', 'ticket.merged']);
    for (const [id, into_id] of [
      [source.id, target.id],
      [target.id, source.id],
      [target.id, target.id],
    ])
      expect(refusal(await client.post(`${TICKETS}/${id}/merge`, { into_id })).slice(0, 2)).toEqual([409, 'merge_refused']);
    // what the requester of the duplicate says stands in the ticket that stays
    expect((await reply(source, { body: 'Me too.', as: 'requester' })).ticket_id).toBe(target.id);
  });

  it('survives replies, merges and closing at once: every message stands in a ticket, and no ticket in a ring', async () => {
    const tickets = await Promise.all(Array.from({ length: 4 }, () => make({ assignee_id: agentId })));
    const others = (index: number) => tickets[(index + 1) % 4].id;
    const answers = await Promise.all(
      tickets.flatMap(({ id }, index) => [
        client.post(`${TICKETS}/${id}/replies`, { body: `Answer ${index}` }),
        client.post(`${TICKETS}/${id}/merge`, { into_id: others(index) }),
        client.post(`${TICKETS}/${id}/replies`, { body: `Question ${index}`, as: 'requester' }),
        client.patch(`${TICKETS}/${id}`, { status_id: statuses.solved }),
      ]),
    );
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    const written = answers.filter(({ status }) => status === 201).length;
    const after = await Promise.all(tickets.map(get));
    expect(after.filter(({ merged_into_id }) => merged_into_id === null).length).toBeGreaterThan(0);
    for (const { merged_into_id, status_category } of after) expect(merged_into_id === null || status_category === 'closed').toBe(true);
    const messages = (await Promise.all(tickets.map((ticket) => messagesOf(ticket)))).flat();
    expect(messages.filter(({ body }) => /^(Answer|Question)/.test(body))).toHaveLength(written);
  });
});

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

  it('a thousand that are due at once are settled within five seconds', async () => {
    const busy = await app.workspace();
    const { client: key } = await busy.key({ module: 'desk' });
    await makeDueTickets(app, { owner: await busy.signIn(), client: key, projectId: busy.eng.id }, 1_000);
    const start = performance.now();
    await app.runScheduledJob('desk.report_breaches');
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(await countBreaches(app, busy.organizationId)).toEqual({ due: 0, breaches: 2_000, events: 2_000, escalations: 2_000 });
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

describe('lists', () => {
  it('filter by open set, view, tag, number, assignee and words', async () => {
    const view = await owner.post(`${ORG_DESK}/views`, {
      project_id: projectId,
      name: 'Urgent and nobody',
      filters: { status_category: ['unsolved'], priority: ['urgent'], assignee_id: ['none'], tag: ['listed'] },
    });
    const urgent = await make({ tags: ['listed'], priority: 'urgent', subject: 'Zeppelin on fire' });
    const mine = await make({ tags: ['listed'], priority: 'urgent', assignee_id: agentId });
    const solved = await patch(await make({ tags: ['listed'], assignee_id: agentId }), { status_id: statuses.solved });
    const ids = async (query: string) =>
      ((await client.get(`${TICKETS}?sort=created_at&${query}`)).body.data as TicketBody[]).map(({ id }) => id);
    expect(await ids(`view_id=${view.body.id}`)).toEqual([urgent.id]);
    expect(await ids('tag=listed&status_category=unsolved')).toEqual([urgent.id, mine.id]);
    expect(await ids('tag=listed&status_category=solved,new')).toEqual([urgent.id, solved.id]);
    expect(await ids(`tag=listed&assignee_id=${agentId}&priority=urgent`)).toEqual([mine.id]);
    expect(await ids('tag=LISTED&status_category=new')).toEqual([urgent.id]);
    expect(await ids(`number=${urgent.number.toLowerCase()}`)).toEqual([urgent.id]);
    expect(await ids('q=zeppelin')).toEqual([urgent.id]);
    expect(refusal(await client.get(`${TICKETS}?view_id=${agentId}`))).toEqual([400, 'validation_failed', 'view_id']);
  });
});

describe('agents', () => {
  it('get no tickets once their member is inactive', async () => {
    const { id: memberId } = await space.member('member');
    const id = await makeAgent(owner, projectId, memberId);
    expect((await owner.patch(`/api/v1/org/members/${memberId}`, { status: 'inactive' })).status).toBe(200);
    const { body } = await client.get(`${EXT_DESK}/agents?project_id=${projectId}&active=true`);
    expect((body.data as { id: string }[]).map((agent) => agent.id)).toEqual([agentId]);
    const ticket = await make();
    expect(refusal(await client.patch(`${TICKETS}/${ticket.id}`, { assignee_id: id }))).toEqual([400, 'validation_failed', 'assignee_id']);
  });
});

describe('test mode', () => {
  it('loses all its rows when they are erased, also merged tickets and follow-ups', async () => {
    const other = await app.workspace();
    const { client: test } = await other.key({ module: 'desk', mode: 'test' });
    const agent = await makeAgent(await other.signIn(), other.eng.id, other.owner.id);
    const { data } = (await test.get(`${EXT_DESK}/queues?project_id=${other.eng.id}`)).body as { data: { id: string }[] };
    const file = { projectId: other.eng.id, queueId: data[0].id, mediaType: 'text/plain', content: 'x' };
    await face.openWithFile(other.organizationId, 'test', file);
    const make = () => makeTicket(test, other.eng.id, { assignee_id: agent });
    const [stays, goes] = [await make(), await make()];
    await test.post(`${TICKETS}/${goes.id}/merge`, { into_id: stays.id });
    const { solved, closed } = await statusesOf(test, other.eng.id);
    for (const status_id of [solved, closed]) await test.patch(`${TICKETS}/${stays.id}`, { status_id });
    expect((await test.post(`${TICKETS}/${goes.id}/replies`, { body: 'Again.', as: 'requester' })).status).toBe(201);
    await app.runScheduledJob('platform.purge_test_rows', new Date(Date.now() + 31 * 24 * HOUR_MS));
    const { rows } = await app.sql.query<{ rows: number }>(
      `SELECT (SELECT count(*) FROM desk_tickets WHERE organization_id = $1)::int + (SELECT count(*) FROM desk_messages
         WHERE organization_id = $1)::int + (SELECT count(*) FROM desk_attachments WHERE organization_id = $1)::int
         + (SELECT count(*) FROM desk_requesters WHERE organization_id = $1)::int AS rows`,
      [other.organizationId],
    );
    expect(rows).toEqual([{ rows: 0 }]);
  });
});

describe('setup', () => {
  it('keeps one default, what is in use, and shows the address of a mailbox once', async () => {
    const { body: queue } = await owner.post(`${ORG_DESK}/queues`, { project_id: projectId, name: 'Billing', is_default: true });
    const { data } = (await client.get(`${EXT_DESK}/queues?project_id=${projectId}`)).body as {
      data: { id: string; is_default: boolean }[];
    };
    expect(data.filter(({ is_default }) => is_default).map(({ id }) => id)).toEqual([queue.id]);
    expect(refusal(await owner.patch(`${ORG_DESK}/queues/${queue.id}`, { is_default: false }))).toEqual([
      400,
      'validation_failed',
      'is_default',
    ]);
    expect((await owner.delete(`${ORG_DESK}/queues/${queue.id}`)).status).toBe(409);
    await owner.patch(`${ORG_DESK}/queues/${data[0].id}`, { is_default: true });
    expect((await make()).queue_id).toBe(data[0].id);
    expect((await owner.delete(`${ORG_DESK}/statuses/${statuses.open}`)).status).toBe(409);
    const { body: mailbox } = await owner.post(`${ORG_DESK}/mailboxes`, { project_id: projectId, address: 'Help@desk.example' });
    expect(mailbox).toMatchObject({ address: 'help@desk.example', delivery_url: expect.stringContaining('/api/v1/public/desk/mail/') });
    const renewed = await owner.post(`${ORG_DESK}/mailboxes/${mailbox.id}/token`, {});
    expect(renewed.body.delivery_url).not.toBe(mailbox.delivery_url);
    const listed = await owner.get(`${ORG_DESK}/mailboxes?project_id=${projectId}`);
    expect(listed.body.data).toMatchObject([{ id: mailbox.id, delivery_url: null }]);
    const hours = {
      project_id: projectId,
      name: 'Late',
      timezone: 'Europe/Berlin',
      windows: [{ weekday: 1, start: '17:00', end: '09:00' }],
    };
    expect(refusal(await owner.post(`${ORG_DESK}/business-hours`, hours))).toEqual([400, 'validation_failed', 'windows.0.end']);
    const { body: returns } = await owner.post(`${ORG_DESK}/queues`, { project_id: projectId, name: 'Returns' });
    const filters = { queue_id: [returns.id], priority: ['high'] };
    const { body: view } = await owner.post(`${ORG_DESK}/views`, { project_id: projectId, name: 'Returns', filters });
    expect((await owner.delete(`${ORG_DESK}/queues/${returns.id}`)).status).toBe(409);
    const wider = await owner.patch(`${ORG_DESK}/views/${view.id}`, { filters: { queue_id: null } });
    expect(wider.body.filters).toEqual({ priority: ['high'] });
    expect((await owner.delete(`${ORG_DESK}/queues/${returns.id}`)).status).toBe(204);
    const wrong = await owner.patch(`${ORG_DESK}/mailboxes/${mailbox.id}`, { trusted_domains: ['@desk.example'] });
    expect(refusal(wrong)).toEqual([400, 'validation_failed', 'trusted_domains']);
    const settings = await owner.patch(`${ORG_DESK}/settings/${projectId}`, { close_after_days: 7 });
    expect(settings.body).toMatchObject({ close_after_days: 7, ask_for_rating: true });
  });
});
