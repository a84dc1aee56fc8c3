import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Client } from '../../../test/kit/client.js';
import { eventually } from '../../../test/kit/eventually.js';
import { ownApp } from '../../../test/kit/hosted-app.js';
import { Mailbox } from '../../../test/kit/mailbox.js';
import { PASSWORD } from '../../../test/kit/workspace.js';

const SESSION = '/api/v1/org/session';
const CHANGE = '/api/v1/org/account/password';
const RESETS = '/api/v1/org/password-resets';
const INVITATIONS = '/api/v1/org/invitations';
const NEW_PASSWORD = 'an entirely new password';

const mailbox = await Mailbox.start();
const app = await ownApp({ env: mailbox.env });
const acme = await app.workspace();
const owner = await acme.signIn();
const anonymous = new Client(app.url);

afterAll(() => mailbox.stop());

const address = () => `person-${randomBytes(4).toString('hex')}@example.com`;
const mailsTo = (to: string) => mailbox.received.filter((mail) => mail.to === to);
const mailTo = async (to: string, count = 1) =>
  (
    await eventually(
      () => Promise.resolve(mailsTo(to)),
      (found) => found.length >= count,
    )
  ).at(-1) as (typeof mailbox.received)[0];
/** Resolves once a worker has dealt with the requests for the address. */
const handled = (email: string) =>
  eventually(
    async () => (await app.sql.query('SELECT 1 FROM password_reset_requests WHERE email = $1', [email])).rows,
    (rows) => rows.length === 0,
  );
const tokenIn = (text: string) => /token=([\w-]{43})/.exec(text)?.[1] as string;
const statusOf = async (client: Client) => (await client.get(SESSION)).status;
const signInStatus = async (email: string, password: string) => (await anonymous.post(SESSION, { email, password })).status;

describe('changing the own password', () => {
  test('takes the current one, ends the other sessions and tells the member', async () => {
    const { email } = await acme.member('member');
    const [here, elsewhere] = [await acme.signIn(email), await acme.signIn(email)];
    const wrong = await here.post(CHANGE, { current_password: 'not the password', new_password: NEW_PASSWORD });
    expect([wrong.status, wrong.body.error.param]).toEqual([400, 'current_password']);
    const same = await here.post(CHANGE, { current_password: PASSWORD, new_password: PASSWORD });
    expect([same.status, same.body.error.param]).toEqual([400, 'new_password']);
    const short = await here.post(CHANGE, { current_password: PASSWORD, new_password: 'short' });
    expect([short.status, short.body.error.param]).toEqual([400, 'new_password']);
    const changed = await here.post(CHANGE, { current_password: PASSWORD, new_password: NEW_PASSWORD }, { 'svc-mode': 'test' });
    expect(changed.body).toEqual({ object: 'ended_sessions', count: 1 });
    expect([await statusOf(here), await statusOf(elsewhere)]).toEqual([200, 401]);
    expect([await signInStatus(email, PASSWORD), await signInStatus(email, NEW_PASSWORD)]).toEqual([401, 200]);
    expect((await mailTo(email)).subject).toBe('Your password was changed');
  });
});

describe('a forgotten password', () => {
  test('is replaced by a mailed link, once, which ends all sessions', async () => {
    const { email } = await acme.member('member');
    const client = await acme.signIn(email);
    const asked = await anonymous.post(RESETS, { email: email.toUpperCase() });
    expect([asked.status, asked.body]).toEqual([202, { object: 'password_reset_request', sends_mail: true }]);
    const { text } = await mailTo(email);
    expect(text).toContain(`${app.url}/console/reset?token=`);
    const token = tokenIn(text);
    const { rows } = await app.sql.query<{ row: string }>('SELECT r::text AS row FROM password_resets r');
    expect(rows.some(({ row }) => row.includes(token))).toBe(false);
    // the outbox of the developer area does not show the link
    const outbox = await owner.get(`/api/v1/org/developer/mail-outbox?recipient=${email}`);
    expect([outbox.body.data.length, JSON.stringify(outbox.body).includes(token)]).toEqual([1, false]);
    const complete = (password: string, given = token) => anonymous.post(`${RESETS}/complete`, { token: given, password });
    expect((await complete('short')).body.error.param).toBe('password');
    expect((await complete(NEW_PASSWORD, 'nonsense')).body.error).toMatchObject({ code: 'validation_failed', param: 'token' });
    const both = await Promise.all([complete(NEW_PASSWORD), complete('another new password')]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 400]);
    expect(await statusOf(client)).toBe(401);
    const chosen = both[0].status === 204 ? NEW_PASSWORD : 'another new password';
    expect([await signInStatus(email, PASSWORD), await signInStatus(email, chosen)]).toEqual([401, 200]);
  });

  test('gets the same answer for an unknown address and for a deactivated member, and no mail', async () => {
    const gone = await acme.member('member');
    await owner.patch(`/api/v1/org/members/${gone.id}`, { status: 'inactive' });
    const known = await anonymous.post(RESETS, { email: (await acme.member('member')).email });
    for (const email of [address(), gone.email]) {
      const answer = await anonymous.post(RESETS, { email });
      expect([answer.status, answer.body]).toEqual([known.status, known.body]);
      await handled(email);
      expect((await app.sql.query('SELECT 1 FROM mails WHERE recipient = $1', [email])).rows).toEqual([]);
    }
    expect((await app.sql.query('SELECT 1 FROM password_resets WHERE member_id = $1', [gone.id])).rows).toEqual([]);
  });

  test('is answered before anything depends on whether the address is known', async () => {
    const { id, email } = await acme.member('member');
    // whoever mails a link locks the member
    const client = await app.sql.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM members WHERE id = $1 FOR UPDATE', [id]);
      expect((await anonymous.post(RESETS, { email })).status).toBe(202);
      expect((await app.sql.query('SELECT 1 FROM password_resets WHERE member_id = $1', [id])).rows).toEqual([]);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    expect((await mailTo(email)).subject).toContain('New password');
  });

  test('gets three links an hour at most, each for 60 minutes', async () => {
    const { id, email } = await acme.member('member');
    await Promise.all(Array.from({ length: 5 }, () => anonymous.post(RESETS, { email })));
    await handled(email);
    const { rows } = await app.sql.query('SELECT expires_at - created_at AS valid FROM password_resets WHERE member_id = $1', [id]);
    expect(rows.map(({ valid }) => (valid as { hours: number }).hours)).toEqual([1, 1, 1]);
    const token = tokenIn((await mailTo(email, 3)).text);
    await app.sql.query(`UPDATE password_resets SET expires_at = now() WHERE member_id = $1`, [id]);
    expect((await anonymous.post(`${RESETS}/complete`, { token, password: NEW_PASSWORD })).status).toBe(400);
  });

  test('a link is void once the password was changed or the member was deactivated', async () => {
    const member = await acme.member('member');
    const void_ = [{ password: 'set by the administrator' }, { status: 'inactive' }];
    for (const [index, change] of void_.entries()) {
      await anonymous.post(RESETS, { email: member.email });
      const token = tokenIn((await mailTo(member.email, index + 1)).text);
      await owner.patch(`/api/v1/org/members/${member.id}`, change);
      const used = await anonymous.post(`${RESETS}/complete`, { token, password: NEW_PASSWORD });
      expect([used.status, used.body.error.param]).toEqual([400, 'token']);
    }
  });
});

describe('inviting a member', () => {
  const invite = (email: string, role = 'developer', client = owner) => client.post(INVITATIONS, { email, name: 'Grace', role });

  test('mails a link with which they set their password, once', async () => {
    const email = address();
    const manager = await acme.member('admin');
    const created = await owner.post(INVITATIONS, { email, name: 'Grace', role: 'developer', manager_id: manager.id });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ object: 'invitation', email, role: 'developer', status: 'pending', link: null });
    expect(created.body.invited_by).toBe(acme.owner.id);
    expect(Date.parse(created.body.expires_at as string)).toBeGreaterThan(Date.now() + 6.9 * 86_400_000);
    expect((await owner.get(INVITATIONS)).body.data.map(({ id }: { id: string }) => id)).toContain(created.body.id);
    const { text } = await mailTo(email);
    expect(text).toContain(`${app.url}/console/invitation?token=`);
    const token = tokenIn(text);
    const opened = await anonymous.post(`${INVITATIONS}/open`, { token });
    expect(opened.body).toMatchObject({ object: 'opened_invitation', email, name: 'Grace', role: 'developer' });
    const accept = () => anonymous.post(`${INVITATIONS}/accept`, { token, name: 'Grace B.', password: NEW_PASSWORD });
    expect((await Promise.all([accept(), accept()])).map(({ status }) => status).sort()).toEqual([204, 400]);
    const session = await anonymous.post(SESSION, { email, password: NEW_PASSWORD });
    expect(session.body.member).toMatchObject({ name: 'Grace B.', role: 'developer', manager_id: manager.id });
    expect((await owner.get(INVITATIONS)).body.data.map(({ id }: { id: string }) => id)).not.toContain(created.body.id);
    expect((await invite(email)).body.error).toMatchObject({ code: 'duplicate', param: 'email' });
  });

  test('sending again replaces the link, withdrawing ends it', async () => {
    const email = address();
    const { id } = (await invite(email)).body;
    expect((await invite(email)).body.error).toMatchObject({ code: 'duplicate', param: 'email' });
    const first = tokenIn((await mailTo(email)).text);
    await app.sql.query(`UPDATE member_invitations SET expires_at = now() WHERE id = $1`, [id]);
    const accept = (token: string) => anonymous.post(`${INVITATIONS}/accept`, { token, password: NEW_PASSWORD });
    expect((await accept(first)).body.error.param).toBe('token');
    expect((await owner.post(`${INVITATIONS}/${id}/resend`)).body.status).toBe('pending');
    const second = tokenIn((await mailTo(email, 2)).text);
    expect((await accept(first)).status).toBe(400);
    expect((await owner.delete(`${INVITATIONS}/${id}`)).status).toBe(204);
    expect((await accept(second)).status).toBe(400);
    expect((await anonymous.post(`${INVITATIONS}/open`, { token: second })).body.error.param).toBe('token');
  });

  test('requires the permission and all permissions of the role, in the own organization', async () => {
    const admin = await acme.signIn((await acme.member('admin')).email);
    const developer = await acme.signIn((await acme.member('developer')).email);
    const other = await (await app.workspace()).signIn();
    expect((await invite(address(), 'owner', admin)).body.error).toMatchObject({ code: 'permission_denied', param: 'role' });
    expect((await invite(address(), 'nonsense', admin)).body.error).toMatchObject({ code: 'validation_failed', param: 'role' });
    expect((await invite(address(), 'member', developer)).body.error.required_permission).toBe('org.members.manage');
    const { id } = (await invite(address(), 'owner')).body;
    expect((await admin.post(`${INVITATIONS}/${id}/resend`)).status).toBe(403);
    expect((await other.get(INVITATIONS)).body.data).toEqual([]);
    expect((await other.post(`${INVITATIONS}/${id}/resend`)).status).toBe(404);
    expect((await other.delete(`${INVITATIONS}/${id}`)).status).toBe(404);
    const manager_id = (await (await app.workspace()).member('admin')).id;
    const foreign = await owner.post(INVITATIONS, { email: address(), name: 'Grace', role: 'member', manager_id });
    expect([foreign.status, foreign.body.error.param]).toEqual([400, 'manager_id']);
  });
});
