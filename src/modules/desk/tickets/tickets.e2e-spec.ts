import { describe, expect, it } from '@jest/globals';
import { errorOf } from '../../../../test/harness/client.js';
import { EXT_DESK, openDesk, ORG_DESK, TICKETS, type TicketBody } from '../testing/desk-fixture.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';

const HOUR_MS = 3_600_000;
const app = await sharedApp();
const face = app.inside<typeof import('../testing/desk-mails.js')>('src/modules/desk/testing/desk-mails.ts');
const { space, projectId, owner, client, agentId, statuses, make, get, patch, reply, messagesOf, eventsOf } = await openDesk(app);

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
    expect([errorOf(again), again.body.error.existing_id]).toEqual([[409, 'duplicate', 'external_id'], plain.id]);
    expect(errorOf(await client.post(TICKETS, { ...body, external_id: null, status_id: statuses.solved }))).toEqual([
      400,
      'assignee_required',
      'assignee_id',
    ]);
  });

  it('is hidden from a key of another project', async () => {
    const { client: pinned } = await space.key({ module: 'desk', project_id: space.ops.id });
    const ticket = await make();
    expect((await pinned.get(`${TICKETS}/${ticket.id}`)).status).toBe(404);
    expect((await pinned.get(`${TICKETS}/${ticket.number}`)).status).toBe(404);
    expect((await pinned.get(TICKETS)).body.data).toEqual([]);
  });

  it('is found by its number, if only one project has it', async () => {
    const test = (await space.key({ module: 'desk', mode: 'test' })).client;
    const ticket = await make({}, test);
    expect((await test.get(`${TICKETS}/${ticket.number.toLowerCase()}`)).body.id).toBe(ticket.id);
    const body = { project_id: space.ops.id, subject: 'x', requester: { email: 'a@x.example' }, message: 'x' };
    const { id } = (await test.post(TICKETS, body)).body as TicketBody;
    await app.sql.query('UPDATE desk_tickets SET number = $1 WHERE id = $2', [ticket.number, id]);
    const answer = await test.get(`${TICKETS}/${ticket.number}`);
    expect([errorOf(answer), answer.body.error.allowed.toSorted(), answer.body.error.message]).toEqual([
      [400, 'validation_failed', 'id'],
      [ticket.id, id].toSorted(),
      `2 records have ${ticket.number}; send the id of the one that you mean: ${id} (OPS "x"), ${ticket.id} (ENG "${ticket.subject}")`,
    ]);
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
    expect(errorOf(back)).toEqual([400, 'invalid_transition', 'status_id']);
    expect(back.body.error.allowed).toContain(statuses.solved);
    // other modules give the code other meanings
    expect(back.body.error.doc_url).toMatch(/\/docs\/errors#invalid_transition-desk$/);
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
      expect(errorOf(await call).slice(0, 2)).toEqual([409, 'ticket_closed']);
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
    expect(errorOf(await client.patch(`${TICKETS}/${snoozed.id}`, { snoozed_until_at: '2020-01-01T00:00:00Z' }))).toEqual([
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
    expect(errorOf(solving)).toEqual([400, 'assignee_required', 'status_id']);
    await client.post(`${TICKETS}/${ticket.id}/notes`, { body: 'Cable.' });
    expect((await messagesOf(ticket)).map(({ kind }) => kind)).toEqual(['public', 'public', 'internal']);
    expect(await messagesOf(ticket, '&kind=internal')).toMatchObject([{ body: 'Cable.', delivery: null }]);
    const both = await client.post(`${TICKETS}/${ticket.id}/replies`, { body: 'x', canned_response_id: canned.body.id });
    expect([errorOf(both), errorOf(await client.post(`${TICKETS}/${ticket.id}/replies`, {}))]).toEqual([
      [400, 'validation_failed', 'canned_response_id'],
      [400, 'missing_fields', 'body'],
    ]);
  });

  it('have files that browsers save and do not run', async () => {
    const { data } = (await client.get(`${EXT_DESK}/queues?project_id=${projectId}`)).body as { data: { id: string }[] };
    const file = { projectId, queueId: data[0].id, mediaType: 'text/html', content: '<script>alert(1)</script>' };
    const { ticketId, attachmentId } = await face.openWithFile(space.ctx(), file);
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
  it('moves the messages, closes the duplicate permanently, and emits one event', async () => {
    const [target, source] = [await make(), await make({ requester: { email: 'eve@customer.example' } })];
    const { status, body } = await client.post(`${TICKETS}/${source.id}/merge`, { into_id: target.id });
    expect([status, body.id, body.cc_emails]).toEqual([200, target.id, []]);
    expect(await get(source)).toMatchObject({ status_category: 'closed', merged_into_id: target.id, merged_into_number: target.number });
    const moved = (await messagesOf(target)).filter(({ original_ticket_id }) => original_ticket_id === source.id);
    expect(moved).toHaveLength(1);
    expect((await messagesOf(source)).map(({ kind }) => kind)).toEqual(['system']);
    expect((await eventsOf(source)).map(({ type }) => type)).toEqual(['ticket.created', 'ticket.status_changed', 'ticket.merged']);
    for (const [id, into_id] of [
      [source.id, target.id],
      [target.id, source.id],
      [target.id, target.id],
    ])
      expect(errorOf(await client.post(`${TICKETS}/${id}/merge`, { into_id })).slice(0, 2)).toEqual([409, 'merge_refused']);
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
    expect(errorOf(await client.get(`${TICKETS}?view_id=${agentId}`))).toEqual([400, 'validation_failed', 'view_id']);
  });
});
