import { beforeAll, expect, test } from '@jest/globals';
import { sharedMailApp } from '../../../../../test/harness/hosted-app.js';
import { ConsoleVisitor } from '../../../../../test/harness/console.js';
import { Client } from '../../../../../test/harness/client.js';
import { PENDING, WorkflowFixture } from '../../testing/workflow-fixture.js';

const { app, mailbox } = await sharedMailApp();
const workflow = await WorkflowFixture.open(app);
const { space } = workflow;
const SUBSTITUTES = '/api/v1/org/papers/substitutes';
const PAGE = '/console/substitutes';
const visitor = new Client(app.url, { accept: 'text/html' });

type Person = Awaited<ReturnType<typeof space.member>>;
let [ada, bob, eve]: Person[] = [];
beforeAll(async () => {
  [ada, bob, eve] = [await space.member('member'), await space.member('member'), await space.member('member')];
});

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const clients = new Map<string, Promise<Client>>();
const as = (person: Person) => {
  let client = clients.get(person.id);
  if (!client) clients.set(person.id, (client = space.signIn(person.email)));
  return client;
};

async function choose(member: Person, substitute: Person, from: number, to: number) {
  const { status, body } = await (
    await as(member)
  ).post(SUBSTITUTES, { substitute_email: substitute.email, starts_on: day(from), ends_on: day(to) });
  return { status, param: body.error?.param as string | undefined, id: body.id as string };
}

const decide = async (person: Person, id: string, over: object = {}) =>
  (await as(person)).post(`/api/v1/org/papers/documents/${id}/decide`, { decision: 'approve', ...over });

test('a substitute is asked about what waits when the period begins, and decides for the member until it ends', async () => {
  const { code } = await workflow.approvedBy([ada]);
  const id = await workflow.submitted(code);
  expect((await decide(bob, id)).body.error.code).toBe('not_an_approver');
  const { id: period } = await choose(ada, bob, 0, 3);
  // at once: the period begins before the scheduled job looks
  const { text } = await mailbox.newest(bob.email, 'Please decide');
  await app.runScheduledJob('documents.substitutes');
  expect(text).toContain('You are asked as the substitute while');
  const shown = async (person: Person) =>
    (await (await as(person)).get(`/api/v1/org/papers/documents/${id}`)).body.approval.pending[0].allowed;
  expect([await shown(bob), await shown(eve)]).toEqual([['approve', 'reject', 'return'], []]);
  const pending = await workflow.api.get(`${PENDING}?approver_email=${bob.email}`);
  expect(pending.body.data.map(({ document }: { document: { id: string } }) => document.id)).toEqual([id]);
  const [{ approver, eligible_approvers: eligible }] = pending.body.data;
  expect([approver.email, eligible.map(({ email }: { email: string }) => email)]).toEqual([ada.email, [ada.email, bob.email]]);

  const link = (/https?:\/\/[^/\s]+(\/a\/[\w-]+)/.exec(text) as RegExpExecArray)[1];
  const page = await visitor.get(link);
  const { name: absent } = (await workflow.read(id)).approval.pending[0].approver;
  expect(page.text).toContain(`<dt>In place of</dt><dd>${absent}</dd>`);
  const decision = (/name="decision_id" value="([^"]+)"/.exec(page.text) as RegExpExecArray)[1];
  const form = new URLSearchParams({ decision: 'approve', decision_id: decision, comment: 'Fine' }).toString();
  await visitor.post(`${link}/decide`, form, { 'content-type': 'application/x-www-form-urlencoded' });
  const document = await workflow.read(id);
  const [shownDecision] = document.approval.steps[0].decisions;
  expect([document.state, shownDecision.approver_email, shownDecision.in_place_of]).toEqual(['approved', bob.email, ada.email]);
  expect((await visitor.get(link)).text).toContain(`<b>${shownDecision.approver_name} in place of ${absent}</b>`);
  const asked = /https?:\/\/[^/\s]+(\/a\/[\w-]+)/.exec((await mailbox.newest(ada.email, 'Please decide')).text) as RegExpExecArray;
  const hers = (await visitor.get(asked[1])).text;
  expect([hers.includes('You have approved'), hers.includes('Your decision is not needed any more.')]).toEqual([false, true]);
  expect((await mailbox.newest(ada.email, 'Decided in your name')).text).toContain(
    `(${bob.email}) has decided on a document as your substitute.`,
  );
  expect(mailbox.received.filter(({ to, subject }) => to === bob.email && subject.startsWith('Please decide'))).toHaveLength(1);
  const { body } = await workflow.screen.get(`/api/v1/org/papers/documents/${id}/audit-entries`);
  const approval = body.data.find(({ action }: { action: string }) => action === 'papers.approve');
  expect([approval.acted_for, approval.detail.substitute]).toEqual([ada.email, bob.email]);

  const columns = ['approver_email', 'in_place_of'];
  const given = { name: 'Decisions', dataset: 'approvals', columns, filters: { type_code: code } };
  const { body: report } = await workflow.screen.post('/api/v1/org/papers/reports', given);
  const { data } = (await workflow.screen.get(`/api/v1/org/papers/reports/${report.id}/data`)).body;
  expect(data).toEqual([{ approver_email: bob.email, in_place_of: ada.email }]);

  const later = await workflow.submitted(code, { title: 'Told at once' });
  expect((await mailbox.newest(bob.email, 'Please decide: Told at once')).text).toContain('You are asked as the substitute while');
  expect((await (await as(bob)).delete(`${SUBSTITUTES}/${period}`)).status).toBe(403);
  expect((await (await as(ada)).delete(`${SUBSTITUTES}/${period}`)).status).toBe(204);
  expect((await decide(bob, later)).body.error.code).toBe('not_an_approver');
});

test('a substitute who was chosen in advance is asked on the first day of the period, not before', async () => {
  const { code } = await workflow.approvedBy([ada]);
  await workflow.submitted(code, { title: 'In advance' });
  const { id: period } = await choose(ada, bob, 5, 9);
  const mails = () => mailbox.received.filter(({ to, subject }) => to === bob.email && subject.includes('In advance'));
  await app.runScheduledJob('documents.substitutes', new Date(Date.now() + 3 * 86_400_000));
  expect(mails()).toEqual([]);
  await app.runScheduledJob('documents.substitutes', new Date(Date.now() + 6 * 86_400_000));
  expect((await mailbox.newest(bob.email, 'Please decide: In advance')).text).toContain('You are asked as the substitute while');
  await (await as(ada)).delete(`${SUBSTITUTES}/${period}`);
});

test('a substitute is reminded like the approver, each once, and not about what they have approved themselves', async () => {
  const approvers = [ada, eve].map(({ email }) => ({ kind: 'user' as const, ref: email }));
  const { code } = await workflow.approvedBy([{ name: 'Legal', mode: 'all', due_in_hours: 1, approvers }]);
  const id = await workflow.submitted(code);
  const { id: period } = await choose(ada, bob, 0, 3);
  const { id: other } = await choose(eve, bob, 0, 3);
  await app.runScheduledJob('documents.substitutes');
  const remind = () => workflow.screen.post(`/api/v1/org/papers/documents/${id}/remind`);
  expect((await remind()).body.reminded).toEqual([ada.email, eve.email, bob.email]);
  const { text } = await mailbox.newest(bob.email, 'Reminder: Agreement');
  expect(text).toMatch(/still needs your decision\.\s+.*You are asked as the substitute while/);
  expect((await remind()).body.error.code).toBe('rate_limited');

  await app.sql.query(`UPDATE approval_requests SET due_at = now() - interval '1 minute' WHERE document_id = $1`, [id]);
  await app.runScheduledJob('documents.escalate');
  await app.runScheduledJob('documents.escalate');
  const overdue = async (to: Person) => {
    await mailbox.newest(to.email, 'Overdue');
    return mailbox.received.filter(({ to: address, subject }) => address === to.email && subject.startsWith('Overdue')).length;
  };
  expect([await overdue(ada), await overdue(eve), await overdue(bob)]).toEqual([1, 1, 1]);
  for (const [person, row] of [
    [ada, period],
    [eve, other],
  ] as const)
    await (await as(person)).delete(`${SUBSTITUTES}/${row}`);
});

test('a period that has not begun, or is over, changes nothing', async () => {
  const { code } = await workflow.approvedBy([ada]);
  const id = await workflow.submitted(code);
  const { id: period } = await choose(ada, bob, 2, 3);
  expect((await decide(bob, id)).body.error.code).toBe('not_an_approver');
  await app.sql.query(`UPDATE approval_substitutes SET starts_on = current_date - 9, ends_on = current_date - 2 WHERE id = $1`, [period]);
  expect((await decide(bob, id)).body.error.code).toBe('not_an_approver');
  await (await as(ada)).delete(`${SUBSTITUTES}/${period}`);
});

test('a submitter never decides by substitution, nor does anyone give two approvals of a step', async () => {
  const { id: period } = await choose(ada, bob, 0, 0);
  const lenient = await workflow.approvedBy([ada], { allow_self_approval: true });
  const { id } = await workflow.draft(lenient.code);
  expect((await (await as(bob)).post(`/api/v1/org/papers/documents/${id}/submit`, {})).status).toBe(200);
  expect((await decide(bob, id)).body.error.code).toBe('not_an_approver');
  await app.runScheduledJob('documents.substitutes');

  const approvers = [ada, bob].map(({ email }) => ({ kind: 'user' as const, ref: email }));
  const both = await workflow.approvedBy([{ name: 'Both', mode: 'all', approvers }]);
  const second = await workflow.submitted(both.code);
  expect((await decide(bob, second)).status).toBe(200);
  expect((await decide(bob, second)).body.error.code).toBe('invalid_action');
  expect((await workflow.read(second)).state).toBe('in_approval');
  expect((await decide(ada, second)).body.state).toBe('approved');
  await (await as(ada)).delete(`${SUBSTITUTES}/${period}`);
});

test('nobody has a substitute and is one at the same time', async () => {
  const { id } = await choose(ada, bob, 10, 20);
  expect(await choose(ada, eve, 20, 22)).toMatchObject({ status: 400, param: 'starts_on' });
  expect(await choose(bob, eve, 5, 10)).toMatchObject({ status: 400, param: 'starts_on' });
  expect(await choose(eve, ada, 12, 13)).toMatchObject({ status: 400, param: 'substitute_email' });
  expect(await choose(ada, ada, 30, 31)).toMatchObject({ status: 400, param: 'substitute_email' });
  expect(await choose(ada, eve, 31, 30)).toMatchObject({ status: 400, param: 'ends_on' });
  expect(await choose(ada, eve, -9, -2)).toMatchObject({ status: 400, param: 'ends_on' });
  expect(await choose(bob, ada, 21, 22)).toMatchObject({ status: 201 });
  const parallel = await Promise.all([choose(ada, eve, 40, 41), choose(eve, bob, 40, 41)]);
  expect(parallel.map(({ status }) => status).sort()).toEqual([201, 400]);
  const gone = await space.member('member');
  expect(await choose(ada, gone, 60, 61)).toMatchObject({ status: 201 });
  await workflow.screen.patch(`/api/v1/org/members/${gone.id}`, { status: 'inactive' });
  expect(await choose(ada, gone, 70, 71)).toMatchObject({ status: 400, param: 'substitute_email' });
  const other = { substitute_email: eve.email, member_email: bob.email, starts_on: day(50), ends_on: day(51) };
  expect((await (await as(ada)).post(SUBSTITUTES, other)).body.error.param).toBe('member_email');
  expect((await workflow.screen.post(SUBSTITUTES, other)).status).toBe(201);
  const listed = (await workflow.screen.get(`${SUBSTITUTES}?limit=100`)).body.data;
  expect(listed[0].substitute.email).toBe(eve.email);
  expect(listed.map(({ substitute }: { substitute: { email: string } }) => substitute.email)).toContain(gone.email);
  expect(listed.find((one: { id: string }) => one.id === id)).toMatchObject({
    member: { email: ada.email },
    substitute: { email: bob.email },
    starts_on: day(10),
  });
});

test('whoever sets documents up chooses a substitute for a member who is away, in the console, without approving themselves', async () => {
  const permissions = ['papers.setup.manage', 'papers.document.view'];
  expect((await workflow.screen.post('/api/v1/org/roles', { name: 'office', permissions })).status).toBe(201);
  const [office, absent] = [await space.member('office'), await space.member('member')];
  const dates = { starts_on: day(0), ends_on: day(1) };
  const own = await (await as(office)).post(SUBSTITUTES, { substitute_email: bob.email, ...dates });
  expect([own.status, own.body.error.param]).toEqual([400, 'member_email']);

  const id = await workflow.submitted((await workflow.approvedBy([absent])).code, { title: 'Waits for somebody' });
  const officer = await ConsoleVisitor.signIn(app.url, space, office.email);
  const chosen = await officer.submit(PAGE, 'choose', { member_email: absent.email, substitute_email: bob.email, ...dates });
  expect(chosen.location).toContain('done=chosen');
  await mailbox.newest(bob.email, 'Please decide: Waits for somebody');
  expect((await decide(bob, id)).body.state).toBe('approved');
  await mailbox.newest(absent.email, 'Decided in your name: Waits for somebody');

  expect((await officer.get(PAGE)).text).toContain(`Chosen by ${office.email}`);
  const { body } = await workflow.screen.get(`${SUBSTITUTES}?limit=1`);
  // other members have no form for it
  expect((await (await ConsoleVisitor.signIn(app.url, space, eve.email)).get(PAGE)).text).not.toContain(body.data[0].id);
  expect((await officer.submit(PAGE, 'end', {}, body.data[0].id)).location).toContain('done=removed');
  const log = await workflow.screen.get(`/api/v1/org/audit-entries?object_id=${body.data[0].id}`);
  expect(log.body.data.map(({ action, actor_id }: Record<string, string>) => [action, actor_id])).toEqual([
    ['deleted', office.id],
    ['created', office.id],
  ]);
});
