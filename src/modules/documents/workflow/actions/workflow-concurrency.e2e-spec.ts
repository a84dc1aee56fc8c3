import { beforeEach, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { WorkflowFixture } from '../../testing/workflow-fixture.js';

const app = await sharedApp();
let workflow: WorkflowFixture;
let people: { id: string; email: string }[];

beforeEach(async () => {
  workflow = await WorkflowFixture.open(app);
  people = await Promise.all(Array.from({ length: 3 }, () => workflow.space.member('member')));
});

const all = (mode: 'any' | 'all') => ({
  name: 'Step',
  mode,
  approvers: people.map(({ email }) => ({ kind: 'user' as const, ref: email })),
});
const outcomes = (responses: { status: number; body: { state?: string; error?: { code: string } } }[]) =>
  responses.map(({ status, body }) => `${status} ${body.state ?? body.error?.code}`).sort();

describe('concurrent requests', () => {
  it('three approvals of which one is enough: one succeeds, the others fail', async () => {
    const { code } = await workflow.approvedBy([all('any')]);
    const id = await workflow.submitted(code);
    expect(outcomes(await Promise.all(people.map((one) => workflow.decide(id, 'APPROVE', one))))).toEqual([
      '200 approved',
      '400 invalid_transition',
      '400 invalid_transition',
    ]);
    expect((await workflow.events(id)).filter((type) => type === 'paper.state_changed approved')).toHaveLength(1);
  });

  it('three approvals that are all required: none is lost, and exactly one is the last', async () => {
    const { code } = await workflow.approvedBy([all('all')]);
    for (let round = 0; round < 3; round++) {
      const id = await workflow.submitted(code);
      expect(outcomes(await Promise.all(people.map((one) => workflow.decide(id, 'APPROVE', one))))).toEqual([
        '200 approved',
        '200 in_approval',
        '200 in_approval',
      ]);
      expect((await workflow.read(id)).state).toBe('approved');
    }
  });

  it('two decisions of the same approver: the second fails', async () => {
    const { code } = await workflow.approvedBy([all('all')]);
    const id = await workflow.submitted(code);
    expect(outcomes(await Promise.all(['APPROVE', 'APPROVE'].map((action) => workflow.decide(id, action, people[0]))))).toEqual([
      '200 in_approval',
      '400 invalid_action',
    ]);
  });

  it('approve, reject and return: exactly one succeeds', async () => {
    const { code } = await workflow.approvedBy([all('any')]);
    const id = await workflow.submitted(code);
    const responses = await Promise.all(['APPROVE', 'REJECT', 'RETURN'].map((action, index) => workflow.decide(id, action, people[index])));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const winner = responses.find(({ status }) => status === 200);
    expect((await workflow.read(id)).state).toBe(winner?.body.state);
  });

  it('two submissions: the approvers are asked once', async () => {
    const { code } = await workflow.approvedBy([all('any')]);
    const { id } = await workflow.draft(code);
    expect(outcomes(await Promise.all([workflow.submit(id), workflow.submit(id)]))).toEqual(['200 in_approval', '400 invalid_transition']);
    expect(await workflow.mails(id)).toHaveLength(3);
  });

  it('an approval and a recall: one succeeds, the other fails', async () => {
    const { code } = await workflow.approvedBy([all('any')]);
    for (let round = 0; round < 4; round++) {
      const id = await workflow.submitted(code);
      const responses = await Promise.all([workflow.decide(id, 'APPROVE', people[0]), workflow.move(id, 'recall')]);
      expect([
        ['200 approved', '400 invalid_transition'],
        ['200 draft', '400 invalid_transition'],
      ]).toContainEqual(outcomes(responses));
      const { rows } = await app.sql.query(
        `SELECT count(*)::int AS n FROM approval_requests WHERE document_id = $1 AND decision = 'pending'`,
        [id],
      );
      expect(rows).toEqual([{ n: 0 }]);
    }
  });

  it('an edit and a submission: the submitted data is the data that was checked', async () => {
    const { code } = await workflow.type();
    for (let round = 0; round < 4; round++) {
      const { id } = await workflow.draft(code);
      const [edit, submission] = await Promise.all([
        workflow.screen.patch(`/api/v1/org/papers/documents/${id}`, { data_values: { customer: null } }),
        workflow.submit(id),
      ]);
      expect([
        [200, 400],
        [400, 200],
      ]).toContainEqual([edit.status, submission.status]);
      const document = await workflow.read(id);
      expect([document.state, document.missing_required_fields]).toEqual(edit.status === 200 ? ['draft', ['customer']] : ['approved', []]);
    }
  });

  it('two finalizations: one succeeds, and the file is stored once', async () => {
    const { code } = await workflow.type();
    const { id } = await workflow.draft(code);
    expect(outcomes(await Promise.all([workflow.move(id, 'finalize'), workflow.move(id, 'finalize')]))).toEqual([
      '200 finalized',
      '400 invalid_transition',
    ]);
    expect((await app.sql.query('SELECT count(*)::int AS n FROM document_renditions WHERE document_id = $1', [id])).rows).toEqual([
      { n: 1 },
    ]);
  });

  it('two documents that would supersede each other: only one is superseded', async () => {
    const { code } = await workflow.type();
    for (let round = 0; round < 3; round++) {
      const ids = (await Promise.all([workflow.draft(code), workflow.draft(code)])).map(({ id }) => id);
      for (const id of ids) await workflow.move(id, 'finalize');
      const responses = await Promise.all([
        workflow.org(ids[0], 'supersede', { superseded_by_id: ids[1] }),
        workflow.org(ids[1], 'supersede', { superseded_by_id: ids[0] }),
      ]);
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await Promise.all(ids.map(async (id) => (await workflow.read(id)).state))).sort()).toEqual(['finalized', 'superseded']);
    }
  });
});
