import { beforeAll, describe, expect, test } from '@jest/globals';
import { Client, type ApiResponse } from '../../../../../test/harness/client.js';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { isAbout, WorkflowFixture } from '../../testing/workflow-fixture.js';

const app = await sharedApp();
const visitor = new Client(app.url, { accept: 'text/html', 'user-agent': 'Test browser' });
const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
let workflow: WorkflowFixture;

beforeAll(async () => {
  workflow = await WorkflowFixture.open(app);
});

const post = (path: string, form: Record<string, string>): Promise<ApiResponse> =>
  visitor.post(path, new URLSearchParams(form).toString(), FORM);

/** The path in the newest mail about the document to an address. */
async function linkOf(id: string, email: string): Promise<string> {
  const { rows } = await app.sql.query<{ text: string }>(
    `SELECT text FROM mails WHERE recipient = $1 AND ${isAbout('$2')} ORDER BY created_at DESC, id DESC LIMIT 1`,
    [email, id],
  );
  return (/(\/a\/[\w-]{43})/.exec(rows[0].text) as RegExpExecArray)[1];
}

const decisionIn = ({ text }: ApiResponse) => (/name="decision_id" value="([^"]+)"/.exec(text) as RegExpExecArray)[1];

describe('the page of an approver', () => {
  test('takes the decision once, and then shows what became of the document', async () => {
    const [ada, bob] = [await workflow.space.member('admin'), await workflow.space.member('admin')];
    const { code } = await workflow.approvedBy([ada, bob]);
    const id = await workflow.submitted(code);
    const link = await linkOf(id, ada.email);
    const page = await visitor.get(link);
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store, no-transform']);
    for (const part of ['<h1>Please decide: Agreement</h1>', 'Acme', 'Go to the decision', 'not decided yet'])
      expect(page.text).toContain(part);
    expect((await post(`${link}/decide`, { decision_id: decisionIn(page) })).text).toContain('Choose what you decide.');
    expect((await post(`${link}/comment`, { body: 'Is the price agreed?' })).status).toBe(303);
    const form = { decision: 'approve', comment: 'Fine <b>', decision_id: decisionIn(page) };
    const decided = await Promise.all([post(`${link}/decide`, form), post(`${link}/decide`, form)]);
    expect(decided.map(({ status }) => status).sort()).toEqual([303, 400]);
    const after = (await visitor.get(link)).text;
    for (const part of ['You have approved this document.', 'waits for the decision of others', 'Fine &lt;b&gt;', 'Is the price agreed?'])
      expect(after).toContain(part);
    expect(after).not.toContain('name="decision"');
    const next = await linkOf(id, bob.email);
    expect((await post(`${next}/decide`, { decision: 'reject', decision_id: decisionIn(await visitor.get(next)) })).status).toBe(303);
    expect((await visitor.get(link)).text).toContain('The document was rejected.');
    expect(await workflow.read(id)).toMatchObject({
      state: 'rejected',
      approval: { steps: [{ decisions: [{ approver_email: ada.email }] }, { decisions: [{ approver_email: bob.email }] }] },
    });
  });

  test('leads from an earlier submission to the current one, and decides nothing that its reader has not seen', async () => {
    const ada = await workflow.space.member('admin');
    const { code } = await workflow.approvedBy([ada]);
    const id = await workflow.submitted(code);
    const link = await linkOf(id, ada.email);
    const seen = decisionIn(await visitor.get(link));
    await workflow.org(id, 'recall');
    expect((await visitor.get(link)).text).toContain('taken back by its author');
    await workflow.submit(id);
    expect((await post(`${link}/decide`, { decision: 'approve', decision_id: seen })).text).toContain('so nothing was decided');
    expect((await post(`${link}/decide`, { decision: 'approve', decision_id: decisionIn(await visitor.get(link)) })).status).toBe(303);
    expect((await workflow.read(id)).state).toBe('approved');
  });

  test('is read in the outbox only by the approver, and closed to members who may no longer decide', async () => {
    const ada = await workflow.space.member('admin');
    const { code } = await workflow.approvedBy([ada], { language: 'de' });
    const id = await workflow.submitted(code);
    const { rows } = await app.sql.query('SELECT id, html FROM mails WHERE recipient = $1', [ada.email]);
    const read = async (client: Client) => (await client.get(`/api/v1/org/developer/mail-outbox/${rows[0].id}`)).text;
    expect(await read(workflow.screen)).not.toMatch(/\/a\/[\w-]{43}/);
    expect(rows[0].html).toContain('Lesen und entscheiden');
    const link = await linkOf(id, ada.email);
    await app.sql.query('UPDATE approval_links SET expires_at = now() WHERE member_id = $1', [ada.id]);
    const expired = await visitor.get(link);
    expect([expired.status, expired.text]).toEqual([410, expect.stringContaining('Dieser Link ist abgelaufen.')]);
    await app.sql.query(`UPDATE members SET status = 'inactive' WHERE id = $1`, [ada.id]);
    expect((await visitor.get(link)).status).toBe(410);
    expect((await visitor.get(`/a/${'x'.repeat(43)}`)).status).toBe(404);
  });
});
