import { describe, expect, it } from '@jest/globals';
import { errorOf } from '../../../test/harness/client.js';
import { EXT_DESK, makeAgent, makeTicket, openDesk, ORG_DESK, statusesOf, TICKETS } from './testing/desk-fixture.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';

const HOUR_MS = 3_600_000;
const app = await sharedApp();
const face = app.inside<typeof import('./testing/desk-mails.js')>('src/modules/desk/testing/desk-mails.ts');
const { space, projectId, owner, client, agentId, statuses, make } = await openDesk(app);

describe('agents', () => {
  it('get no tickets once their member is inactive', async () => {
    const { id: memberId } = await space.member('member');
    const id = await makeAgent(owner, projectId, memberId);
    expect((await owner.patch(`/api/v1/org/members/${memberId}`, { status: 'inactive' })).status).toBe(200);
    const { body } = await client.get(`${EXT_DESK}/agents?project_id=${projectId}&active=true`);
    expect((body.data as { id: string }[]).map((agent) => agent.id)).toEqual([agentId]);
    const ticket = await make();
    expect(errorOf(await client.patch(`${TICKETS}/${ticket.id}`, { assignee_id: id }))).toEqual([400, 'validation_failed', 'assignee_id']);
  });
});

describe('setup', () => {
  it('keeps one default, what is in use, and shows the address of a mailbox once', async () => {
    const { body: queue } = await owner.post(`${ORG_DESK}/queues`, { project_id: projectId, name: 'Billing', is_default: true });
    const { data } = (await client.get(`${EXT_DESK}/queues?project_id=${projectId}`)).body as {
      data: { id: string; is_default: boolean }[];
    };
    expect(data.filter(({ is_default }) => is_default).map(({ id }) => id)).toEqual([queue.id]);
    expect(errorOf(await owner.patch(`${ORG_DESK}/queues/${queue.id}`, { is_default: false }))).toEqual([
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
    expect(errorOf(await owner.post(`${ORG_DESK}/business-hours`, hours))).toEqual([400, 'validation_failed', 'windows.0.end']);
    const { body: returns } = await owner.post(`${ORG_DESK}/queues`, { project_id: projectId, name: 'Returns' });
    const filters = { queue_id: [returns.id], priority: ['high'] };
    const { body: view } = await owner.post(`${ORG_DESK}/views`, { project_id: projectId, name: 'Returns', filters });
    expect((await owner.delete(`${ORG_DESK}/queues/${returns.id}`)).status).toBe(409);
    const wider = await owner.patch(`${ORG_DESK}/views/${view.id}`, { filters: { queue_id: null } });
    expect(wider.body.filters).toEqual({ priority: ['high'] });
    expect((await owner.delete(`${ORG_DESK}/queues/${returns.id}`)).status).toBe(204);
    const wrong = await owner.patch(`${ORG_DESK}/mailboxes/${mailbox.id}`, { trusted_domains: ['@desk.example'] });
    expect(errorOf(wrong)).toEqual([400, 'validation_failed', 'trusted_domains']);
    const settings = await owner.patch(`${ORG_DESK}/settings/${projectId}`, { close_after_days: 7 });
    expect(settings.body).toMatchObject({ close_after_days: 7, ask_for_rating: true });
  });
});

describe('test mode', () => {
  it('loses all its rows when they are erased, also merged tickets and follow-ups', async () => {
    const other = await app.workspace();
    const { client: test } = await other.key({ module: 'desk', mode: 'test' });
    const agent = await makeAgent(await other.signIn(), other.eng.id, other.owner.id);
    const { data } = (await test.get(`${EXT_DESK}/queues?project_id=${other.eng.id}`)).body as { data: { id: string }[] };
    const file = { projectId: other.eng.id, queueId: data[0].id, mediaType: 'text/plain', content: 'x' };
    await face.openWithFile(other.ctx('test'), file);
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
