import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestApp, type TestApp } from '../../../../../test/harness/app.js';
import { eventually } from '../../../../../test/harness/eventually.js';
import { DOCUMENTS, WorkflowFixture } from '../../testing/workflow-fixture.js';
import { PdfTypesetter } from '../../engine/typesetting/pdf-typesetter.js';

const MANY = 50;
const GAPLESS = { pattern: 'INV-{SEQ:3}', reset: 'never', assign_at: 'finalize', gapless: true } as const;

let app: TestApp;
let workflow: WorkflowFixture;
let typesetter: PdfTypesetter;

beforeAll(async () => {
  app = await createTestApp({ env: { DATABASE_POOL_SIZE: '5' } });
  workflow = await WorkflowFixture.open(app);
  typesetter = app.app.get(PdfTypesetter);
});
afterAll(() => app.close());

/** Replaces the renderer. These tests do not depend on the rendered bytes. */
function render(as: PdfTypesetter['rendition']): void {
  typesetter.rendition = as;
}

async function approved(count: number, input: object = {}): Promise<string[]> {
  const type = await workflow.type({ requires_approval: false, ...input });
  return Promise.all(Array.from({ length: count }, () => workflow.submitted(type.code)));
}

it('finalizes 50 documents at once without holding database connections during typesetting', async () => {
  const ids = await approved(MANY);
  let waiting = 0;
  let release = () => undefined as void;
  const gate = new Promise<void>((resolve) => (release = resolve));
  render(async () => {
    waiting++;
    await gate;
    return { pdf: Buffer.from('%PDF'), html: '<p>', fields: [] };
  });
  const moves = ids.map((id) => workflow.move(id, 'finalize', {}));
  await eventually(
    () => Promise.resolve(waiting),
    (count) => count === MANY,
  );
  const { rows } = await app.sql.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND application_name ~ '^work-suite( POST|$)' AND state LIKE 'idle in transaction%'`,
  );
  expect(rows[0].n).toBe(0);
  // Other reads and writes succeed meanwhile.
  expect((await workflow.api.get(`${DOCUMENTS}/${ids[0]}`)).body.state).toBe('approved');
  expect((await workflow.draft((await workflow.type()).code)).version).toBe(1);
  release();
  const responses = await Promise.all(moves);
  expect(responses.map(({ status, body }) => [status, body.state])).toEqual(ids.map(() => [200, 'finalized']));
});

it('renders a document again if it changed during typesetting', async () => {
  const [id] = await approved(1);
  const titles: string[] = [];
  render(async ({ content }) => {
    titles.push(content.document.title);
    if (titles.length === 1) await app.sql.query(`UPDATE documents SET title = 'Changed', version = version + 1 WHERE id = $1`, [id]);
    return { pdf: Buffer.from(`%PDF ${content.document.title}`), html: '<p>', fields: [] };
  });
  expect((await workflow.move(id, 'finalize')).body.state).toBe('finalized');
  expect(titles).toEqual(['Agreement', 'Changed']);
  const { rows } = await app.sql.query<{ pdf: Buffer }>(
    'SELECT o.bytes AS pdf FROM document_renditions r JOIN objects o ON o.id = r.pdf_object_id WHERE r.document_id = $1',
    [id],
  );
  expect(rows.map(({ pdf }) => String(pdf))).toEqual(['%PDF Changed']);
});

it('prints unique, gapless numbers on documents that are finalized at once', async () => {
  const ids = await approved(40, { numbering: GAPLESS });
  const printed = new Map<string, string>();
  let renderings = 0;
  render(({ content }) => {
    renderings++;
    const pdf = Buffer.from(`%PDF ${content.document.number}`);
    return Promise.resolve({ pdf, html: '<p>', fields: [] });
  });
  const responses = await Promise.all(ids.map((id) => workflow.move(id, 'finalize')));
  expect(responses.map(({ status }) => status)).toEqual(ids.map(() => 200));
  const { rows } = await app.sql.query<{ number: string; pdf: Buffer }>(
    `SELECT d.number, o.bytes AS pdf FROM documents d JOIN document_renditions r ON r.document_id = d.id
     JOIN objects o ON o.id = r.pdf_object_id WHERE d.id = ANY($1)`,
    [ids],
  );
  for (const { number, pdf } of rows) printed.set(number, String(pdf));
  const numbers = ids.map((_, index) => `INV-${String(index + 1).padStart(3, '0')}`);
  expect([...printed].sort()).toEqual(numbers.map((number) => [number, `%PDF ${number}`]));
  expect(renderings).toBe(ids.length);
});

it('records no decision if the document of the last approval cannot be typeset', async () => {
  const type = await workflow.approvedBy([workflow.space.owner], { finalize_on_approval: true, allow_self_approval: true });
  const id = await workflow.submitted(type.code);
  render(() => Promise.reject(new Error('out of paper')));
  const failed = await workflow.decide(id, 'APPROVE', workflow.space.owner, {});
  expect([failed.status, failed.body.error.code]).toEqual([502, 'approval_action_failed']);
  const document = await workflow.api.get(`${DOCUMENTS}/${id}`);
  expect([document.body.state, document.body.approval.steps[0].decisions[0].decision]).toEqual(['in_approval', 'pending']);
  render(() => Promise.resolve({ pdf: Buffer.from('%PDF'), html: '<p>', fields: [] }));
  expect((await workflow.decide(id, 'APPROVE', workflow.space.owner)).body.state).toBe('finalized');
});
