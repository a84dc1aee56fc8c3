import { beforeEach, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { WorkflowFixture } from '../../testing/workflow-fixture.js';

const app = await sharedApp();
let workflow: WorkflowFixture;

beforeEach(async () => {
  workflow = await WorkflowFixture.open(app);
});

const at = (day: string) => app.runScheduledJob('documents.validity', new Date(`${day}T12:00:00Z`));

describe('the end of a validity', () => {
  const valid = async (client = workflow.screen, language = 'en') => {
    const { code } = await workflow.type({ language });
    const {
      body: { id },
    } = await client.post(client === workflow.screen ? '/api/v1/org/papers/documents' : '/api/v1/ext/papers/documents', {
      type_code: code,
      title: 'Lease',
      data_values: { customer: 'Acme' },
      project_id: workflow.space.eng.id,
    });
    await workflow.put(id, 'executed', { valid_until_on: '2041-06-30', executed_at: new Date() });
    return id as string;
  };

  it('is announced to the author once 30 days before, once 7 days before and when it is reached', async () => {
    const id = await valid();
    const to = workflow.space.owner.email;
    const soon = `${to}: Valid until 30 June 2041: Lease`;
    await at('2041-05-30');
    expect(await workflow.mails(id)).toEqual([]);
    for (const day of ['2041-05-31', '2041-06-01', '2041-06-22']) await at(day);
    expect(await workflow.mails(id)).toEqual([soon]);
    for (const day of ['2041-06-23', '2041-06-24', '2041-06-30']) await at(day);
    expect(await workflow.mails(id)).toEqual([soon, soon]);
    for (let round = 0; round < 2; round++) await app.runScheduledJob('documents.expire', new Date('2041-07-01T12:00:00Z'));
    await at('2041-07-01');
    expect([(await workflow.read(id)).state, await workflow.mails(id)]).toEqual(['expired', [soon, soon, `${to}: No longer valid: Lease`]]);
  });

  it('is announced with one mail, not two, if the job did not run for a while', async () => {
    const id = await valid();
    for (const day of ['2041-06-27', '2041-06-28']) await at(day);
    expect(await workflow.mails(id)).toHaveLength(1);
  });

  it('of a document created by a key is announced to the document administrators, once there are any', async () => {
    const id = await valid(await workflow.key({ actor_user_id: undefined }));
    await app.sql.query(`UPDATE members SET status = 'inactive' WHERE organization_id = $1`, [workflow.space.organizationId]);
    await at('2041-06-01');
    expect(await workflow.mails(id)).toEqual([]);
    await app.sql.query(`UPDATE members SET status = 'active' WHERE organization_id = $1`, [workflow.space.organizationId]);
    await at('2041-06-02');
    expect(await workflow.mails(id)).toEqual([`${workflow.space.owner.email}: Valid until 30 June 2041: Lease`]);
  });

  it('is announced in the language of the document, as text and as HTML', async () => {
    const id = await valid(workflow.screen, 'de');
    await at('2041-06-25');
    expect(await workflow.mails(id)).toEqual([expect.stringMatching('Gültig bis 30. Juni 2041: Lease')]);
    const { rows } = await app.sql.query(`SELECT text, html FROM mails WHERE text LIKE '%' || $1 || '%'`, [id]);
    expect(rows[0].text).toContain('Die Gültigkeit eines Dokuments endet bald.');
    for (const part of ['<html lang="de"', 'Gültig bis', '30. Juni 2041']) expect(rows[0].html).toContain(part);
  });

  it('is not announced if the document was revoked', async () => {
    const id = await valid();
    await workflow.put(id, 'revoked');
    await at('2041-06-25');
    expect(await workflow.mails(id)).toEqual([]);
  });
});
