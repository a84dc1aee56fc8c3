import { expect, test } from '@jest/globals';
import { eventually } from '../../../test/harness/eventually.js';
import { ownApp } from '../../../test/harness/hosted-app.js';

const FIXTURE = 'test/harness/fixtures/postbox-app.ts';

const app = await ownApp({ env: { MAIL_FROM: 'Work suite <suite@example.com>' } }, { file: FIXTURE, name: 'createPostboxApp' });
const { sentMails } = app.inside<typeof import('../../../test/harness/fixtures/postbox-app.js')>(FIXTURE);
const { sendMail } = app.inside<typeof import('../../../test/harness/send-mail.js')>('test/harness/send-mail.ts');

test('the transport of a module sends mails, refuses some for good, and is tried again after any other failure', async () => {
  const space = await app.workspace();
  const owner = await space.signIn();
  const send = async (to: string) => {
    const id = await sendMail(space.ctx(), { to, subject: 'Grüße', text: 'Text', permission: null });
    const shown = async () => (await owner.get(`/api/v1/org/developer/mail-outbox/${id}`)).body;
    return { id, ...(await eventually(shown, ({ status, error }) => status !== 'queued' || error !== null)) };
  };
  const { id, status } = await send('ada@example.com');
  expect(status).toBe('sent');
  const [mail, ...others] = (await sentMails()).filter(({ recipient }) => recipient === 'ada@example.com');
  expect([mail, others]).toEqual([
    {
      id,
      organizationId: space.organizationId,
      sender: 'suite@example.com',
      recipient: 'ada@example.com',
      subject: 'Grüße',
      message: expect.stringMatching(/^To: ada@example\.com\r$/m),
    },
    [],
  ]);
  expect(mail.message).toContain(`Message-ID: <${id}@example.com>`);
  expect(await send('nobody@example.com')).toMatchObject({ status: 'failed', error: 'No such mailbox' });
  expect(await send('eve@down.example')).toMatchObject({ status: 'queued', error: 'Postbox answered 502' });
});
