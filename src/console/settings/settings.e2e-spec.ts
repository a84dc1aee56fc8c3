import { beforeAll, describe, expect, test } from '@jest/globals';
import { Authenticator } from '../../../test/harness/authenticator.js';
import { ConsoleVisitor, formOf, suggestedBy } from '../../../test/harness/console.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import { PASSWORD, type Workspace } from '../../../test/harness/workspace.js';

const app = await sharedApp();

let workspace: Workspace;
let owner: ConsoleVisitor;
beforeAll(async () => {
  workspace = await app.workspace();
  owner = await ConsoleVisitor.signIn(app.url, workspace);
});

describe('members and roles', () => {
  test('the link of an invitation is shown once, where no mail server is set', async () => {
    const sent = suggestedBy(formOf((await owner.get('/console/settings/members/invite?role=developer')).text, 'invite'));
    expect(sent.role).toEqual(['developer']);
    const invitation = { ...sent, name: 'Nora <b>', email: 'nora@example.com' };
    const { text } = await owner.send('/console/settings/members/invite', invitation);
    expect(text).toContain('Link for Nora &lt;b&gt;');
    expect(text).toMatch(/value="http[^"]+\/console\/invitation\?token=[\w-]{43}"/);
    const again = await owner.send('/console/settings/members/invite', invitation);
    expect([again.status, again.text.includes('token='), again.text.includes('Nothing was made twice')]).toEqual([200, false, true]);
    const members = await owner.get('/console/settings/members');
    const id = /name="invitation_id" value="([^"]+)"/.exec(members.text)![1];
    expect((await owner.submit('/console/settings/members', 'withdraw', {}, id)).location).toContain('done=withdrawn');
  });

  test('the last owner stays, and a role in use names who holds it', async () => {
    const address = `/console/settings/members/${workspace.owner.id}`;
    const refused = await owner.submit(address, 'change', { role: 'developer' });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('must have an active owner')]);
    const created = await owner.submit('/console/settings/roles/new', 'create', { name: 'support', permissions: ['tasks.task.view'] });
    const role = created.location.split('?')[0];
    // it is given while somebody looks at its page
    const remove = suggestedBy(formOf((await owner.get(role)).text, 'delete'));
    await workspace.member('support');
    const kept = await owner.send(role, remove);
    expect([kept.status, kept.text]).toEqual([409, expect.stringContaining('held by support member')]);
    expect(kept.text).not.toContain('Delete role');
  });

  test('nobody ticks what they lack, nor changes whoever has it', async () => {
    const admin = await ConsoleVisitor.signIn(app.url, workspace, (await workspace.member('admin')).email);
    expect((await admin.get('/console/settings/roles/new')).text).toMatch(/value="org.owners.manage" disabled/);
    expect((await admin.get('/console/settings/members/invite')).text).not.toContain('value="owner"');
    const { text } = await admin.get(`/console/settings/members/${workspace.owner.id}`);
    expect([text.includes('You cannot change this member'), text.includes('value="deactivate"')]).toEqual([true, false]);
  });
});

test('a custom field is made, changed, deleted with its key typed, and restored', async () => {
  const NEW = '/console/settings/custom-fields/new';
  const values = { resource: 'task', label: 'Region <b>', key: 'region', type: 'choice', options: 'emea\r\napac', default_value: 'emea' };
  const bad = await owner.submit(NEW, 'create', { ...values, default_value: 'mars' });
  expect([bad.status, bad.text]).toEqual([400, expect.stringContaining('must be one of emea, apac')]);
  const { location } = await owner.submit(NEW, 'create', values);
  const page = location.split('?')[0];
  expect((await owner.get('/console/settings/custom-fields?resource=task')).text).toContain('Region &lt;b&gt;');
  expect((await owner.submit(page, 'change', { label: 'Market', filterable: 'on' })).location).toContain('done=changed');
  expect((await owner.submit(page, 'delete', { typed: 'regio' })).text).toContain('Type region exactly');
  expect((await owner.submit(page, 'delete', { typed: 'region' })).location).toContain('done=deleted');
  expect((await owner.get(page)).text).toContain('Deleted');
  expect((await owner.submit(page, 'restore')).location).toContain('done=restored');
  expect((await owner.get(page)).text).toContain('value="Market"');
});

describe('the account', () => {
  const PAGE = '/console/account/second-factor';
  const secretIn = (text: string) => /id="secret" value="([A-Z2-7 ]+)"/.exec(text)![1].replaceAll(' ', '');

  test('sets up a second factor: a wrong code shows the secret again, the right one the recovery codes', async () => {
    const { email } = await workspace.member('member');
    const member = await ConsoleVisitor.signIn(app.url, workspace, email);
    const { text } = await member.submit(PAGE, 'set_up');
    const form = suggestedBy(formOf(text, 'enable'));
    const wrong = await member.send(PAGE, { ...form, code: '000000' });
    expect([wrong.status, secretIn(wrong.text), wrong.text.includes('<svg class="qr"')]).toEqual([400, secretIn(text), true]);
    const retried = suggestedBy(formOf(wrong.text, 'enable'));
    const enabled = await member.send(PAGE, { ...retried, code: new Authenticator(secretIn(text)).code() });
    expect(/<code id="codes">([^<]+)</.exec(enabled.text)![1].split('\n')).toHaveLength(10);
    expect((await member.get('/console/account')).text).toContain('10 of 10 recovery codes are left');
  });

  test('names devices, and changes the password only with the current one', async () => {
    const { email } = await workspace.member('member');
    const agent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15';
    const body = JSON.stringify({ email, password: PASSWORD });
    const headers = { 'content-type': 'application/json', 'user-agent': agent };
    await fetch(`${app.url}/api/v1/org/session`, { method: 'POST', headers, body });
    const member = await ConsoleVisitor.signIn(app.url, workspace, email);
    expect((await member.get('/console/account')).text).toContain('Safari on macOS');
    const change = { current_password: 'not this one', new_password: 'another password' };
    const refused = await member.submit('/console/account', 'change_password', change);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Current password is not your password')]);
    expect(refused.text).not.toContain('another password');
  });
});

test('a person is looked for, and erased once the address was typed', async () => {
  const PAGE = '/console/settings/erase-person';
  const email = 'forget.me@example.com';
  const mail = { to: email, subject: 'Welcome', text: 'Hello', permission: null };
  await app.inside<typeof import('../../../test/harness/send-mail.js')>('test/harness/send-mail.ts').sendMail(workspace.ctx(), mail);
  const found = await owner.submit(PAGE, 'look', { email });
  expect([found.status, found.text]).toEqual([200, expect.stringContaining('Type forget.me@example.com to confirm')]);
  const erase = suggestedBy(formOf(found.text, 'erase'));
  const mistyped = await owner.send(PAGE, { ...erase, typed: 'forget@example.com' });
  expect([mistyped.status, suggestedBy(formOf(mistyped.text, 'erase')).email]).toEqual([400, [email]]);
  const erased = await owner.send(PAGE, { ...erase, typed: email });
  expect([erased.status, erased.text]).toEqual([200, expect.stringMatching(/<h2>[1-9]\d* rows? erased/)]);
  expect((await owner.submit(PAGE, 'look', { email })).text).not.toContain('value="erase"');
});

test('an organization is exported as one file, and closed once its name was typed', async () => {
  const PAGE = '/console/settings/data';
  const own = await app.workspace();
  const boss = await ConsoleVisitor.signIn(app.url, own);
  const archive = await boss.submit(PAGE, 'export');
  expect([archive.status, archive.headers.get('content-disposition')]).toEqual([200, expect.stringContaining('organization.tar.gz')]);
  const admin = await ConsoleVisitor.signIn(app.url, own, (await own.member('admin')).email);
  expect((await admin.get(PAGE)).text).not.toContain('value="close"');
  expect((await boss.submit(PAGE, 'close', { typed: 'Another' })).status).toBe(400);
  const name = /Type (.*?) to confirm/.exec((await boss.get(PAGE)).text)![1];
  const closed = await boss.submit(PAGE, 'close', { typed: name });
  expect([closed.status, closed.text]).toEqual([202, expect.stringContaining(`work-suite org reopen ${own.organizationId}`)]);
  for (const visitor of [boss, admin]) expect((await visitor.get(PAGE)).location).toContain('/console/sign-in');
});
