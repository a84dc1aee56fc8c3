import { describe, expect, test } from '@jest/globals';
import { Client } from '../../../test/harness/client.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';

const RESETS = '/api/v1/org/password-resets';
const INVITATIONS = '/api/v1/org/invitations';
const NEW_PASSWORD = 'an entirely new password';

const app = await sharedApp();
const tokenIn = (text: string) => /token=([\w-]{43})/.exec(text)?.[1] as string;

describe('without a mail server', () => {
  test('no link for a new password is made that colleagues could read', async () => {
    const space = await app.workspace();
    const { id, email } = await space.member('member');
    const asked = await new Client(app.url).post(RESETS, { email });
    expect([asked.status, asked.body.sends_mail]).toEqual([202, false]);
    const { rows } = await app.sql.query('SELECT 1 FROM password_resets WHERE member_id = $1', [id]);
    expect((await app.sql.query('SELECT 1 FROM password_reset_requests WHERE email = $1', [email])).rows).toEqual([]);
    const outbox = await (await space.signIn()).get('/api/v1/org/developer/mail-outbox');
    expect([rows, outbox.body.data]).toEqual([[], []]);
  });

  test('the page for a forgotten password says who can help, and asks for nothing', async () => {
    const { text } = await new Client(app.url).get('/console/reset');
    expect(text).toContain("Ask someone who manages your organization's members");
    expect([text.includes('npm run org -- reset-password'), text.includes('<form')]).toEqual([true, false]);
  });

  test('the response to an invitation has the link, and nothing else has it', async () => {
    const space = await app.workspace();
    const client = await space.signIn();
    const email = 'invited-without-mail@example.com';
    const sent = await client.post(INVITATIONS, { email, name: 'Grace', role: 'member' }, { 'idempotency-key': 'invite-1' });
    const token = tokenIn(sent.body.link as string);
    const again = await client.post(INVITATIONS, { email, name: 'Grace', role: 'member' }, { 'idempotency-key': 'invite-1' });
    expect([again.body.id, again.body.link]).toEqual([sent.body.id, null]);
    const others = [await client.get(INVITATIONS), await client.get('/api/v1/org/developer/mail-outbox')];
    expect(JSON.stringify(others.map(({ body }) => body as object))).not.toContain(token);
    const visitor = new Client(app.url);
    expect((await visitor.post(`${INVITATIONS}/accept`, { token, password: NEW_PASSWORD })).status).toBe(204);
    const signedIn = await visitor.post('/api/v1/org/session', { email, password: NEW_PASSWORD });
    expect(signedIn.status).toBe(200);
  });
});
