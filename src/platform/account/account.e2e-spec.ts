import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { accessibilityFaults, openBrowser, pageOf } from '../../../test/harness/browser.js';
import { Client } from '../../../test/harness/client.js';
import { eventually } from '../../../test/harness/eventually.js';
import { sharedMailApp } from '../../../test/harness/hosted-app.js';
import { Browser, hiddenFields } from '../../../test/harness/oauth.js';
import { PASSWORD } from '../../../test/harness/workspace.js';

const SESSION = '/api/v1/org/session';
const CHANGE = '/api/v1/org/account/password';
const RESETS = '/api/v1/org/password-resets';
const INVITATIONS = '/api/v1/org/invitations';
const RESET_PAGE = '/console/reset';
const INVITATION_PAGE = '/console/invitation';
const NEW_PASSWORD = 'an entirely new password';

const { app, mailbox } = await sharedMailApp();
const acme = await app.workspace();
const owner = await acme.signIn();
const organization = (await owner.get('/api/v1/org/organization')).body.name as string;
const anonymous = new Client(app.url);

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
    const { id, email } = await acme.member('member');
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
    const opened = await anonymous.post(`${RESETS}/open`, { token });
    expect(opened.body).toEqual({ object: 'opened_password_reset', organization, email });
    const complete = (password: string, given = token) => anonymous.post(`${RESETS}/complete`, { token: given, password });
    expect((await complete('short')).body.error.param).toBe('password');
    expect((await complete(NEW_PASSWORD, 'nonsense')).body.error).toMatchObject({ code: 'validation_failed', param: 'token' });
    const both = await Promise.all([complete(NEW_PASSWORD), complete('another new password')]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 400]);
    expect((await anonymous.post(`${RESETS}/open`, { token })).body.error.param).toBe('token');
    expect(await statusOf(client)).toBe(401);
    const chosen = both[0].status === 204 ? NEW_PASSWORD : 'another new password';
    expect([await signInStatus(email, PASSWORD), await signInStatus(email, chosen)]).toEqual([401, 200]);
    // the audit log tells who asked, and has no mail: whoever reads the log could use its link
    const log = (await owner.get('/api/v1/org/audit-entries?operation=complete_password_reset')).body.data as Record<string, unknown>[];
    const from = { address: '127.0.0.1', request_id: expect.stringMatching(/^req_/) };
    expect(log.filter(({ object_id }) => object_id === id)).toMatchObject([{ object_type: 'member', action: 'updated', ...from }]);
    const ended = { object_type: 'session', action: 'ended', after: { member_id: id }, ...from };
    expect(log.filter(({ object_type }) => object_type !== 'member')).toMatchObject([ended]);
    const { rows: mailed } = await app.sql.query(`SELECT FROM audit_entries WHERE after::text LIKE '%console/reset%'`);
    expect(mailed).toEqual([]);
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
    expect(opened.body).toMatchObject({ object: 'opened_invitation', inviter: 'Olga Owner', email, name: 'Grace', role: 'developer' });
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

/** The path and query of the link in a mail. */
const linkIn = (text: string) => (/https?:\/\/\S+\?token=\S+/.exec(text)?.[0] as string).slice(app.url.length);

describe('the page of a mailed link', () => {
  const textOf = async (response: Response) => [response.status, await response.text()] as const;

  async function invited(name = 'Grace'): Promise<{ email: string; link: string }> {
    const email = address();
    await owner.post(INVITATIONS, { email, name, role: 'developer' });
    return { email, link: linkIn((await mailTo(email)).text) };
  }

  test('sets a new password, from the sign-in page to the sign-in page', async () => {
    const { email } = await acme.member('member');
    const browser = new Browser(app.url);
    expect(await (await browser.get('/console/sign-in')).text()).toContain(`href="${RESET_PAGE}"`);
    expect(await (await browser.get(RESET_PAGE)).text()).toContain('name="email"');
    const [status, refused] = await textOf(await browser.post(RESET_PAGE, { email: 'no address' }));
    expect([status, refused]).toEqual([
      400,
      expect.stringMatching(/value="no address" id="email" aria-invalid="true" aria-describedby="email-error"/),
    ]);
    const answers = await Promise.all([email, address()].map((given) => browser.post(RESET_PAGE, { email: given })));
    expect(answers.map((answer) => [answer.status, answer.headers.get('location')])).toEqual(
      Array(2).fill([303, `${RESET_PAGE}?requested=true`]),
    );
    expect(await (await browser.get(`${RESET_PAGE}?requested=true`)).text()).toContain('Check your mail');

    const link = linkIn((await mailTo(email)).text);
    const page = await browser.get(link);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store, no-transform',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src [^;]+; font-src 'self'; form-action 'self'; base-uri 'none'; frame-anc/,
      ),
    });
    const text = await page.text();
    expect(text).toContain(`For the account ${email} at <bdi>${organization}</bdi>.`);
    const fields = hiddenFields(text);
    const [short, again] = await textOf(await browser.post(RESET_PAGE, { ...fields, password: 'short' }));
    expect([short, again.match(/id="password-error">Password must/g)?.length, again.includes('value="short"')]).toEqual([400, 1, false]);
    expect([hiddenFields(again), again.includes('tabindex="-1" autofocus')]).toEqual([fields, true]);
    const set = await browser.post(RESET_PAGE, { ...fields, password: NEW_PASSWORD });
    expect([set.status, set.headers.get('location')]).toEqual([303, '/console/sign-in?notice=password_set']);
    expect(await (await browser.get('/console/sign-in?notice=password_set')).text()).toContain('Your new password is set.');
    expect((await browser.signIn(email, { password: NEW_PASSWORD })).status).toBe(303);

    for (const used of [await browser.get(link), await browser.post(RESET_PAGE, { ...fields, password: NEW_PASSWORD })])
      expect(await textOf(used)).toEqual([410, expect.stringContaining(`href="${RESET_PAGE}">Ask for a new link`)]);
  });

  test('makes an invited person a member, also in a browser in which somebody else is signed in', async () => {
    const { email, link } = await invited('<i>Grace</i>');
    const browser = new Browser(app.url);
    await browser.signIn(acme.owner.email);
    const text = await (await browser.get(link)).text();
    for (const shown of [organization, 'Olga Owner invites you', email, 'Developer', 'value="&lt;i&gt;Grace&lt;/i&gt;"'])
      expect(text).toContain(shown);
    const fields = hiddenFields(text);
    const [status, again] = await textOf(await browser.post(INVITATION_PAGE, { ...fields, name: '', password: 'short' }));
    expect([status, again.includes('id="name-error"'), again.includes('id="password-error"')]).toEqual([400, true, true]);
    const kept = await (await browser.post(INVITATION_PAGE, { ...fields, name: 'Grace "G" Hopper', password: 'short' })).text();
    expect([kept.includes('value="Grace &quot;G&quot; Hopper"'), kept.includes('value="short"')]).toEqual([true, false]);
    const accepted = await browser.post(INVITATION_PAGE, { ...fields, name: 'Grace Hopper', password: NEW_PASSWORD });
    expect([accepted.status, accepted.headers.get('location')]).toEqual([303, '/console/sign-in?notice=invitation_accepted']);
    const session = await anonymous.post(SESSION, { email, password: NEW_PASSWORD });
    expect(session.body.member).toMatchObject({ name: 'Grace Hopper', role: 'developer' });
    const used = await textOf(await browser.get(link));
    expect(used).toEqual([410, expect.stringContaining('Ask whoever invited you')]);
  });

  test.each([RESET_PAGE, INVITATION_PAGE])('%s without a valid token says what to do', async (path) => {
    const browser = new Browser(app.url);
    for (const token of ['', 'nonsense', 'x'.repeat(43), 'x'.repeat(1_000)]) {
      expect((await browser.get(`${path}?token=${token}`)).status).toBe(410);
      expect((await browser.post(path, { token, name: 'Grace', password: NEW_PASSWORD })).status).toBe(410);
    }
  });
});

const chromium = await openBrowser();

(chromium ? describe : describe.skip)('in a browser', () => {
  test.each([
    { width: 360, colorScheme: 'dark', javaScriptEnabled: true },
    { width: 1280, colorScheme: 'light', javaScriptEnabled: true },
    { width: 360, colorScheme: 'light', javaScriptEnabled: false },
  ] as const)('$width px, $colorScheme, script $javaScriptEnabled: joins, forgets the password, sets a new one', async (look) => {
    const { width, colorScheme, javaScriptEnabled } = look;
    const page = await pageOf(chromium!, { viewport: { width, height: 800 }, colorScheme, javaScriptEnabled });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    const check = async (heading: string) => {
      expect(await page.locator('h1').textContent()).toContain(heading);
      if (!javaScriptEnabled) return;
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    };
    const email = address();
    await owner.post(INVITATIONS, { email, name: 'Grace'.repeat(20), role: 'developer' });
    await page.goto(app.url + linkIn((await mailTo(email)).text));
    await check('Invitation to');
    await page.fill('#password', PASSWORD);
    await page.click('button');
    await page.waitForURL('**/console/sign-in?notice=invitation_accepted');
    await check('Sign in');

    await page.click('text=Forgot your password?');
    await check('Forgotten password');
    await page.fill('#email', email);
    await page.click('button');
    await page.waitForURL('**/console/reset?requested=true');
    await check('Check your mail');
    await page.goto(app.url + linkIn((await mailTo(email, 2)).text));
    await check('New password');
    // the browser itself refuses a short one
    await page.fill('#password', 'short');
    await page.click('button');
    expect(page.url()).toContain('?token=');
    await page.fill('#password', NEW_PASSWORD);
    await page.click('button');
    await page.waitForURL('**/console/sign-in?notice=password_set');
    await page.goBack();
    await page.reload();
    await check('This link no longer works');
    expect(complaints.filter((text) => !text.includes('favicon') && !text.includes('410 (Gone)'))).toEqual([]);
  });
});

// the last test, because it uses up the calls of this address
test('the page for a forgotten password has the limit of its operation, and keeps the address that was entered', async () => {
  const [browser, email] = [new Browser(app.url), address()];
  const answers = await Promise.all(Array.from({ length: 21 }, () => browser.post(RESET_PAGE, { email })));
  const refused = answers.find(({ status }) => status === 429) as Response;
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const page = await refused.text();
  expect([page.includes(`value="${email}"`), page.includes('No link was sent')]).toEqual([true, true]);
});
