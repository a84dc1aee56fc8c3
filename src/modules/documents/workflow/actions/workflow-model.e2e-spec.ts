import { beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { DOCUMENTS, ORG_DOCUMENTS, WorkflowFixture } from '../../testing/workflow-fixture.js';
import { DOCUMENT_STATES, findMove, type DocumentState, type Trigger } from '../../model/core/document-states.js';
import { DocumentModel, KINDS, PEOPLE, type Action, type Kind, type PersonName } from '../../testing/workflow.model.js';

/** The default seed makes every run the same. Set `PROPERTY_SEED` and `PROPERTY_RUNS` to explore more walks. */
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_121);
const RUNS = Number(process.env.PROPERTY_RUNS ?? 24);

const app = await sharedApp();
const { moveDocument } = app.inside<typeof import('../../testing/document-moves.js')>('src/modules/documents/testing/document-moves.ts');
let workflow: WorkflowFixture;
let people: Record<PersonName, { id: string; email: string }>;
let codes: Record<Kind, string>;
let replacement: Promise<string> | undefined;

beforeAll(async () => {
  workflow = await WorkflowFixture.open(app);
  const [ada, bob, eve] = [
    await workflow.space.member('member'),
    await workflow.space.member('member'),
    await workflow.space.member('member'),
  ];
  people = { ada, bob, eve };
  const both = [ada, bob].map(({ email }) => ({ kind: 'user' as const, ref: email }));
  codes = {
    free: (await workflow.type()).code,
    two_steps: (
      await workflow.approvedBy([
        { name: 'First', mode: 'any', approvers: both },
        { name: 'Second', mode: 'all', approvers: both },
      ])
    ).code,
    auto: (await workflow.approvedBy([ada], { finalize_on_approval: true })).code,
  };
});

/** One finalized document for all walks; the first one in a process loads the typesetter, which takes too long for a hook. */
async function finalized(): Promise<string> {
  const { id } = await workflow.draft(codes.free);
  await workflow.move(id, 'finalize');
  return id;
}

const actions: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      by: fc.constantFrom(...PEOPLE),
      how: fc.constantFrom('APPROVE' as const, 'APPROVE' as const, 'REJECT' as const, 'RETURN' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('override' as const), to: fc.constantFrom(...DOCUMENT_STATES) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...([
          'submit',
          'submit',
          'recall',
          'finalize',
          'finalize_on_screen',
          'revoke',
          'supersede',
          'reopen',
          'edit',
          'send',
          'sign',
          'sign_last',
          'decline',
          'expire',
        ] as const),
      ),
    }),
  },
);

/** Initial moves that lead to states which random walks rarely reach. */
const beginnings: fc.Arbitrary<Action[]> = fc.constantFrom<Action[]>(
  [],
  [],
  [{ do: 'override', to: 'finalized' }, { do: 'send' }],
  [{ do: 'override', to: 'finalized' }, { do: 'send' }, { do: 'sign' }, { do: 'sign_last' }],
  [{ do: 'override', to: 'declined' }],
);

/** The moves of signers and scheduled jobs, made through the services that they call. */
const BY_SERVICE: Partial<Record<Action['do'], [Trigger, DocumentState]>> = {
  send: ['send', 'sent'],
  sign: ['sign', 'partially_signed'],
  sign_last: ['sign', 'executed'],
  decline: ['decline', 'declined'],
  expire: ['expire', 'expired'],
};

async function perform(id: string, action: Action): Promise<string> {
  const move = BY_SERVICE[action.do];
  if (move) return moveDocument(workflow.space.ctx(), id, ...move);
  const { status, body } = await call(id, action);
  if (status >= 500) throw new Error(`${JSON.stringify(action)}: ${JSON.stringify(body)}`);
  return status < 300 ? 'ok' : (body.error.code as string);
}

async function call(id: string, action: Action) {
  switch (action.do) {
    case 'submit':
      return workflow.submit(id);
    case 'decide': {
      // two_steps asks the same people twice, so a decision must be named
      const { email } = people[action.by];
      const pending: { id: string; approver: { email: string } | null }[] = (await workflow.read(id)).approval.pending;
      const decision_id = pending.find(({ approver }) => approver?.email === email)?.id;
      return workflow.decide(id, action.how, people[action.by], { decision_id });
    }
    case 'override':
      return workflow.org(id, 'override', { to: action.to, reason: 'The model wants it' });
    case 'finalize_on_screen':
      return workflow.org(id, 'finalize');
    case 'supersede':
      // All documents share one replacement, which may be of another type, because it was made for them.
      replacement ??= finalized();
      await app.sql.query('UPDATE documents SET supersedes_id = $2 WHERE id = $1', [await replacement, id]);
      return workflow.org(id, 'supersede', { superseded_by_id: await replacement });
    case 'reopen':
      return workflow.org(id, 'reopen');
    case 'edit':
      return workflow.screen.patch(`${ORG_DOCUMENTS}/${id}`, { title: 'Edited' });
    default:
      return workflow.move(id, action.do, { comments: 'The model wants it' });
  }
}

/** The moves of the walk according to its events. */
async function requireWalk(id: string, requiresApproval: boolean): Promise<void> {
  const { rows } = await app.sql.query<{ from: DocumentState; to: DocumentState; trigger: Trigger | 'override' }>(
    `SELECT body::jsonb #>> '{data,context,from}' AS from, body::jsonb #>> '{data,context,to}' AS to,
            body::jsonb #>> '{data,context,trigger}' AS trigger
     FROM outbox_events WHERE type = 'paper.state_changed' AND body::jsonb #>> '{data,object,id}' = $1 ORDER BY sequence`,
    [id],
  );
  let state: DocumentState = 'draft';
  for (const { from, to, trigger } of rows) {
    expect(from).toBe(state);
    if (trigger === 'override') expect(['sent', 'partially_signed', 'executed']).not.toContain(to);
    else
      expect({ trigger, from, to, move: findMove(trigger, from, to, requiresApproval)?.trigger }).toEqual({
        trigger,
        from,
        to,
        move: trigger,
      });
    state = to;
  }
}

it(
  `any walk ends each step as the model does, and never takes a way that the table lacks (PROPERTY_SEED=${SEED})`,
  async () => {
    const visited = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...KINDS),
        beginnings,
        fc.array(actions, { minLength: 8, maxLength: 25 }),
        async (kind, beginning, walk) => {
          const model = new DocumentModel(kind);
          const { id } = await workflow.draft(codes[kind]);
          for (const action of [...beginning, ...walk]) {
            const expected = model.apply(action);
            expect({ action, outcome: await perform(id, action) }).toEqual({ action, outcome: expected });
            const { state, lifecycle_stage, allowed_actions, finalized_at, content_sha256 } = await workflow.read(id);
            expect({ action, state, lifecycle_stage, allowed: [...allowed_actions].sort() }).toEqual({
              action,
              state: model.state,
              lifecycle_stage: model.state,
              allowed: model.allowed('submitter'),
            });
            if (state === 'in_approval') {
              const { body } = await (await workflow.acting()).get(`${DOCUMENTS}/${id}`);
              expect([...body.allowed_actions].sort()).toEqual(model.allowed('other'));
            }
            expect([action, finalized_at === null]).toEqual([action, content_sha256 === null]);
            visited.set(model.state, (visited.get(model.state) ?? 0) + 1);
          }
          const { rows } = await app.sql.query(
            `SELECT count(*)::int AS n FROM approval_requests WHERE document_id = $1 AND decision = 'pending'`,
            [id],
          );
          expect([model.state, rows[0].n > 0]).toEqual([model.state, model.state === 'in_approval']);
          await requireWalk(id, kind !== 'free');
        },
      ),
      { seed: SEED, numRuns: RUNS },
    );
    // Ensure that the walks cover enough moves.
    expect([...visited.keys()].sort()).toEqual([...DOCUMENT_STATES].sort());
  },
  60_000 + RUNS * 5_000,
);
