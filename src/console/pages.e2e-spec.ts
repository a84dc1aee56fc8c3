import { beforeAll, describe, expect, test } from '@jest/globals';
import { ConsoleVisitor, suggestedBy, formOf } from '../../test/harness/console.js';
import { sharedApp } from '../../test/harness/hosted-app.js';
import { PASSWORD } from '../../test/harness/workspace.js';
import type { RequestLog } from '../platform/request-log/request-log.js';

const app = await sharedApp();
const workspace = await app.workspace();
const pages = await app.inside<typeof import('../../test/harness/console-pages.js')>('test/harness/console-pages.ts').consolePages();
const UNKNOWN = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60';
const HOSTILE = `"><script>alert('x')</script>`;
const addressOf = ({ path }: { path: string }) => path.replace(/:\w+/g, UNKNOWN);

let owner: ConsoleVisitor;
beforeAll(async () => {
  owner = await ConsoleVisitor.signIn(app.url, workspace);
});

describe('the rights of every page and form', () => {
  const declared = pages.flatMap(({ path, actions, ...page }) => [
    { at: path, ...page },
    ...Object.entries(actions).map(([name, action]) => ({ at: `${path} ${name}`, ...action })),
  ]);

  test('suffice for its operations', () => {
    const rejected = declared.flatMap(({ at, permissions, operations }) =>
      operations
        .filter(({ permissions: required }) => {
          const open = required !== null && required.length === 0;
          return !open && (required === null || permissions.length === 0 || !permissions.every((one) => required.includes(one)));
        })
        .map(({ name, permissions: required }) => `${at}: ${name} requires ${required?.join(' or ') ?? 'to exist'}`),
    );
    expect(rejected).toEqual([]);
    expect(pages.length).toBeGreaterThan(7);
  });

  test('open all of them to an owner', async () => {
    const refused: string[] = [];
    for (const page of pages.filter(({ permissions }) => permissions.length > 0)) {
      const actions = Object.entries(page.actions).filter(([, { permissions }]) => permissions.length > 0);
      const answers = [await owner.get(addressOf(page))];
      for (const [action] of actions) answers.push(await owner.send(addressOf(page), { action, csrf: owner.csrfToken }));
      if (answers.some(({ status }) => status === 403 || status >= 500)) refused.push(page.path);
    }
    expect(refused).toEqual([]);
  });

  const fading = new Set(pages.filter(({ canBeOver }) => canBeOver).map(({ path }) => path));
  // of several that open the same page, the first and those of its forms; and one permission that opens no page
  const named = pages.flatMap(({ permissions, actions }) => [
    ...permissions.slice(0, 1),
    ...Object.values(actions).flatMap((action) => action.permissions),
  ]);
  // and for each, every third of the other pages: what refuses a page, or opens it to all, is the same for every permission
  const tried = [...new Set([...named, 'schedule.event.view'])].map((permission, index) => ({ permission, index }));
  test.each(tried)('with $permission alone', async ({ permission, index }) => {
    const admin = await workspace.signIn();
    const role = await admin.post('/api/v1/org/roles', { name: `only-${permission}`, permissions: [permission] });
    expect(role.status).toBe(201);
    const member = await workspace.member(role.body.name as string);
    const visitor = await ConsoleVisitor.signIn(app.url, workspace, member.email);
    const wrong: string[] = [];
    const opens = ({ permissions }: { permissions: string[] }) => permissions.length === 0 || permissions.includes(permission);
    const check = (at: string, isOpen: boolean, status: number) => {
      if ((status !== 403 && status !== 303) !== isOpen || status >= 500) wrong.push(`${at} answers ${status}`);
    };
    const visited = pages.filter(({ path, permissions, actions }, place) => {
      const names = [...permissions, ...Object.values(actions).flatMap((action) => action.permissions)];
      return names.includes(permission) || path === '/console' || (place + index) % 3 === 0;
    });
    for (const page of visited) {
      const response = await visitor.get(addressOf(page));
      check(page.path, opens(page), response.status);
      if (page.path === '/console' && !opens(page)) expect(response.location).toMatch(/^\/console\/\w/);
      const navigation = /<nav aria-label="Console">[^]*?<\/nav>/.exec(response.text)?.[0] ?? '';
      const links = [...navigation.matchAll(/<li><a href="(\/console[^"?]*)/g)].map(([, path]) => path).filter((path) => !fading.has(path));
      const expected = pages.filter((one) => one.isInNavigation && !one.canBeOver && opens(one)).map(({ path }) => path);
      if (response.status === 200) expect(links.sort()).toEqual(expected.sort());
      for (const [action, access] of Object.entries(page.actions)) {
        // a form for everyone takes effect, and has no permission to compare
        if (access.permissions.length === 0) continue;
        const { status } = await visitor.send(addressOf(page), { action, csrf: visitor.csrfToken });
        check(`${page.path} ${action}`, opens(page) && opens(access), status);
      }
    }
    expect(wrong).toEqual([]);
  });
});

test('every page has a link to the documentation, and each leads to a section that is there', async () => {
  const links = new Set<string>();
  const unexplained: string[] = [];
  for (const page of pages.filter(({ path }) => !path.includes(':'))) {
    const { text, status } = await owner.get(page.path);
    const [, explained] = / class="docs-link" href="([^"]+)"/.exec(text) ?? [];
    if (status === 200 && explained === undefined) unexplained.push(page.path);
    for (const [, address] of text.matchAll(/ href="(\/docs[^"]*)"/g)) links.add(address);
  }
  const read = new Map<string, { status: number; ids: Set<string> }>();
  const broken: string[] = [];
  for (const link of links) {
    const [path, id] = link.split('#');
    if (!read.has(path)) {
      const response = await fetch(app.url + path);
      read.set(path, { status: response.status, ids: new Set((await response.text()).match(/(?<= id=")[^"]+/g)) });
    }
    const { status, ids } = read.get(path)!;
    // Swagger UI reads megabytes before it shows an operation
    if (status !== 200 || path.startsWith('/docs/swagger') || (id !== undefined && !ids.has(id))) broken.push(link);
  }
  expect([broken, unexplained]).toEqual([[], []]);
  expect([...links].filter((link) => /^\/docs\/api\/.*#/.test(link)).length).toBeGreaterThan(10);
});

describe('the frame', () => {
  test('leads to the sign-in and back, with everything the address says', async () => {
    const address = '/console/keys?status=active&module=tasks&mode=a%26b';
    const stranger = new ConsoleVisitor(app.url, '', '');
    const { status, location } = await stranger.get(address);
    const back = new URL(location, app.url).searchParams.get('return_to');
    expect([status, location.split('?')[0], back]).toEqual([303, '/console/sign-in', address]);
    expect((await stranger.get('/')).location).toBe('/console');
    const signIn = await fetch(app.url + location);
    expect(await signIn.text()).toContain(`name="return_to" value="${address.replaceAll('&', '&amp;')}"`);
  });

  test('names the permission of a closed page and who grants it', async () => {
    const member = await ConsoleVisitor.signIn(app.url, workspace, (await workspace.member('member')).email);
    const { status, text } = await member.get('/console/keys');
    expect([status, text]).toEqual([403, expect.stringContaining('org.developer.apikeys.manage')]);
    expect(text).toContain('Olga Owner');
  });

  test('counts a page once, however many calls it makes', async () => {
    const remaining = async () => Number((await owner.get('/console/keys')).headers.get('ratelimit-remaining'));
    const before = await remaining();
    expect(before - (await remaining())).toBe(1);
  });

  test('refuses a form without the token of the session, and keeps its values', async () => {
    const { status, text } = await owner.submit('/console/keys/new?module=tasks', 'create', { csrf: 'x', name: HOSTILE });
    expect([status, text]).toEqual([400, expect.stringContaining('out of date')]);
    expect(text).toMatch(/Reference: req_/);
    expect(suggestedBy(formOf(text, 'create')).name).toEqual([HOSTILE]);
    expect(text).not.toContain('<script>alert');
  });

  test('gives the rows of a list as a file, as filtered', async () => {
    const page = `/console/settings/members?email=${workspace.owner.email}`;
    const { text } = await owner.get(page);
    const [, link] = /<a class="button quiet" href="([^"]+)">Download CSV/.exec(text)!;
    const file = await owner.get(link.replaceAll('&amp;', '&'));
    expect([file.status, file.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/csv/)]);
    expect(file.headers.get('content-disposition')).toContain('members.csv');
    expect(file.text.split('\r\n').filter(Boolean)).toEqual([expect.stringMatching(/^id,/), expect.stringContaining('Olga Owner')]);
    const refused = await owner.send('/console/settings/members?csv=rows', { action: 'resend', csrf: 'x' });
    const overview = await owner.get('/console?csv=rows');
    for (const { headers } of [refused, overview]) expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect([refused.status, overview.status]).toEqual([400, 200]);
  });

  test('keeps no mode that the address does not name', async () => {
    expect((await owner.get('/console/logs?mode=test')).text).toContain('class="strip"');
    expect((await owner.get('/console/logs')).text).not.toContain('class="strip"');
  });

  test.each([
    ['/console/?mode=test', '/console?mode=test'],
    ['/console/keys/', '/console/keys'],
    ['/console/settings', '/console/settings/organization'],
  ])('leads on from %s', async (address, next) => expect(await owner.get(address)).toMatchObject({ status: 303, location: next }));

  test.each([
    ['/console/keys?status=banana', 'Status'],
    ['/console/logs?from=garbage&code=x', 'From (UTC)'],
    ['/console/logs?key=1&mode=test', 'API key'],
    ['/console/logs?mode=banana', 'Data'],
    ['/console/analytics?days=999', 'Length of time'],
    ['/console/analytics?csv=nope', 'File'],
    ['/console/keys?csv=nope', 'File'],
    ['/console/triggers?tab=nope', 'Part of the page'],
    ['/console/keys/new?module=nope', 'Module'],
    ['/console/keys?cursor=nope', 'Page of the list'],
  ])('says what is wrong with %s, and leads to the page without it', async (address, label) => {
    const { status, text } = await owner.get(address);
    expect([status, text]).toEqual([400, expect.stringMatching(RegExp(`<li>${label.replace(/[()]/g, '.')}(:| is) `))]);
    const [, way] = /<a class="button" href="([^"]+)"/.exec(text)!;
    expect([(await owner.get(way.replaceAll('&amp;', '&'))).status, new URL(way, app.url).pathname]).toEqual([200, address.split('?')[0]]);
  });

  test('names the fields of a form that a link fills with what they cannot have', async () => {
    const { status, text } = await owner.get('/console/keys/new?module=tasks&scopes=evil&mode=banana&expires_at=soon');
    expect(status).toBe(400);
    for (const field of ['scopes', 'mode', 'expires_at']) expect(text).toContain(`<li><a href="#create-${field}">`);
  });

  test('answers with pages to forms that no page has, and to methods that none takes', async () => {
    expect(await owner.send('/console/keys', { action: 'create', csrf: owner.csrfToken })).toMatchObject({ status: 405 });
    expect(await owner.send('/console/nowhere', { action: 'create', csrf: owner.csrfToken })).toMatchObject({ status: 404 });
    const put = await fetch(`${app.url}/console/keys`, { method: 'PUT', headers: { accept: 'text/html' } });
    expect([put.status, put.headers.get('allow'), put.headers.get('content-type')]).toEqual([
      405,
      expect.any(String),
      expect.stringMatching('html'),
    ]);
    expect((await fetch(`${app.url}/favicon.ico`)).headers.get('content-type')).toContain('image/svg+xml');
  });

  test('keeps what was entered when there are too many requests, or an outage, and names the time to wait', async () => {
    const { refusePages } = app.inside<typeof import('../../test/harness/console-refusals.js')>('test/harness/console-refusals.ts');
    const { id, email } = await workspace.member('admin');
    const visitor = await ConsoleVisitor.signIn(app.url, workspace, email);
    const form = { ...suggestedBy(formOf((await visitor.get('/console/settings/projects/new')).text, 'create')), name: HOSTILE };
    for (const [how, refusal] of [
      ['limit', 429],
      ['outage', 503],
    ] as const) {
      await refusePages(id, how);
      const answers = [await visitor.get('/console/settings/projects'), await visitor.send('/console/settings/projects/new', form)];
      for (const { status, headers, text } of answers) {
        expect([status, headers.get('retry-after'), text]).toEqual([refusal, '7', expect.stringContaining('Wait 7 seconds')]);
        expect(text).not.toContain('<script>alert');
      }
      expect(suggestedBy(formOf(answers[1].text, 'create'))).toEqual(
        Object.fromEntries(Object.entries(form).map(([name, one]) => [name, [one].flat()])),
      );
    }
    await refusePages(id, null);
    expect((await visitor.get('/console/settings/projects')).status).toBe(200);
  });
});

describe('an API key', () => {
  const NEW = '/console/keys/new?module=tasks&name=Import&access=choose&scopes=tasks:task:read,tasks:task:write';
  const list = async (name: string) => {
    const { body } = await (await workspace.signIn()).get('/api/v1/org/developer/api-keys?limit=100');
    return (body.data as { id: string; name: string; version: number; mode: string }[]).filter((key) => key.name === name);
  };

  test('takes every field from the address, and its refusal stands beside the field', async () => {
    const { status, text } = await owner.submit(NEW, 'create', { allowed_ips: 'nowhere', expires_at: '2001-01-01' });
    expect([status, await list('Import')]).toEqual([400, []]);
    expect(text).toMatch(/<li><a href="#create-allowed_ips">/);
    expect(text).toMatch(/<li><a href="#create-expires_at">Last day must be in the future\.</);
    expect(text).toMatch(/Reference: req_/);
    expect(suggestedBy(formOf(text, 'create'))).toMatchObject({
      name: ['Import'],
      access: ['choose'],
      scopes: ['tasks:task:read', 'tasks:task:write'],
      allowed_ips: ['nowhere'],
      expires_at: ['2001-01-01'],
    });
  });

  test('shows its secret once, and a form that is sent again makes nothing twice', async () => {
    const { text } = await owner.get(NEW);
    const sent = suggestedBy(formOf(text, 'create'));
    const first = await owner.send(NEW, sent);
    expect(first.text).toMatch(/value="svc_test_\w+"/);
    const again = await owner.send(NEW, sent);
    expect(again.status).toBe(200);
    expect(again.text).not.toMatch(/svc_test_\w{8}/);
    expect(again.text).toContain('roll the key');
    expect(await list('Import')).toHaveLength(1);
  });

  test('that somebody else changed shows both versions, and is changed all the same by a second try', async () => {
    const [{ id }] = await list('Import');
    const address = `/console/keys/${id}?tab=settings`;
    const { text } = await owner.get(address);
    const mine = { ...suggestedBy(formOf(text, 'change')), name: 'Mine' };
    await (await workspace.signIn()).patch(`/api/v1/org/developer/api-keys/${id}`, { name: 'Theirs', scopes: ['tasks:task:read'] });
    const refused = await owner.send(address, mine);
    expect([refused.status, refused.text]).toEqual([412, expect.stringContaining('Stored now: Theirs')]);
    expect(refused.text).toContain('Stored now: Read tasks</p>');
    const retried = await owner.send(address, suggestedBy(formOf(refused.text, 'change')));
    expect([retried.status, (await list('Mine')).length]).toEqual([303, 1]);
  });

  test('of a form that is sent again with other values is changed by the page that says so', async () => {
    const [{ id }] = await list('Mine');
    const address = `/console/keys/${id}?tab=settings`;
    const sent = suggestedBy(formOf((await owner.get(address)).text, 'change'));
    expect((await owner.send(address, { ...sent, name: 'One' })).status).toBe(303);
    const refused = await owner.send(address, { ...sent, name: 'Mine' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('sent before with other values')]);
    const retried = await owner.send(address, suggestedBy(formOf(refused.text, 'change')));
    expect([retried.status, (await list('Mine')).length]).toEqual([303, 1]);
  });

  test('keeps the scopes that whoever renames it lacks', async () => {
    const admin = await workspace.signIn();
    const scopes = ['papers:workflow:act'];
    const key = await admin.post('/api/v1/org/developer/api-keys', { name: 'Approvals', module: 'documents', mode: 'test', scopes });
    await admin.post('/api/v1/org/roles', { name: 'keys-only', permissions: ['org.developer.apikeys.manage'] });
    const visitor = await ConsoleVisitor.signIn(app.url, workspace, (await workspace.member('keys-only')).email);
    const address = `/console/keys/${key.body.id as string}?tab=settings`;
    expect((await visitor.submit(address, 'change', { name: 'Renamed' })).status).toBe(303);
    expect((await admin.get(`/api/v1/org/developer/api-keys/${key.body.id as string}`)).body).toMatchObject({ name: 'Renamed', scopes });
  });

  test('with live data asks for the password if it was given long ago, and loses nothing of the form', async () => {
    await app.sql.query(`UPDATE sessions SET confirmed_at = now() - interval '3 hours' WHERE member_id = $1`, [workspace.owner.id]);
    const asked = await owner.submit(NEW, 'create', { mode: 'live', name: HOSTILE });
    expect([asked.status, await list(HOSTILE)]).toEqual([403, []]);
    const sent = suggestedBy(formOf(asked.text, 'create'));
    const wrong = await owner.send(NEW, { ...sent, confirm_password: 'wrong' });
    expect([wrong.status, wrong.text.includes('#confirm_password')]).toEqual([400, true]);
    const right = await owner.send(NEW, { ...suggestedBy(formOf(wrong.text, 'create')), confirm_password: PASSWORD });
    expect([right.status, right.text]).toEqual([200, expect.stringMatching(/svc_live_\w{8}/)]);
    expect((await list(HOSTILE)).map(({ mode }) => mode)).toEqual(['live']);
    expect((await owner.get('/console/keys')).text).not.toContain('<script>alert');
  });

  test('names a deactivated member in the list and on its page', async () => {
    const admin = await workspace.signIn();
    const { id: memberId } = await workspace.member('member');
    const bound = { name: 'Bound', module: 'tasks', mode: 'live', scopes: ['tasks:task:read'], actor_user_id: memberId };
    const { id } = (await admin.post('/api/v1/org/developer/api-keys', bound)).body;
    const shown = async () => {
      const pages = await Promise.all(['/console/keys', `/console/keys/${id as string}`].map((path) => owner.get(path)));
      return pages.map(({ text }) => text.includes('Member deactivated'));
    };
    expect(await shown()).toEqual([false, false]);
    await admin.patch(`/api/v1/org/members/${memberId}`, { status: 'inactive' });
    expect(await shown()).toEqual([true, true]);
  });

  test('is named in the log, however many newer keys there are', async () => {
    const crowded = await app.workspace();
    const oldest = await crowded.key();
    await app.sql.query(`UPDATE api_keys SET name = 'The oldest key' WHERE id = $1`, [oldest.id]);
    for (let i = 0; i < 101; i++) await crowded.key();
    await oldest.client.get('/api/v1/ext/tasks/tasks');
    await app.service<RequestLog>('RequestLog').flush();
    const visitor = await ConsoleVisitor.signIn(app.url, crowded);
    expect((await visitor.get('/console/logs')).text).toMatch(/<td[^>]*>(?:<[^>]+>)*The oldest key</);
    expect((await visitor.get(`/console/logs?key=${oldest.id}`)).text).toMatch(/<option[^>]* selected[^>]*>The oldest key</);
  });

  test('is revoked by typing its name', async () => {
    const [{ id }] = await list('Mine');
    const address = `/console/keys/${id}?tab=settings`;
    expect((await owner.submit(address, 'revoke', { typed: 'Min' })).status).toBe(400);
    const { status, location } = await owner.submit(address, 'revoke', { typed: 'Mine' });
    expect([status, (await owner.get(location)).text]).toEqual([303, expect.stringContaining('no call with it is accepted')]);
  });
});

test('the account ends other sessions and signs out', async () => {
  const visitor = await ConsoleVisitor.signIn(app.url, workspace);
  expect((await visitor.submit('/console/account', 'end_others')).location).toBe('/console/account?done=others');
  expect((await owner.get('/console/account')).status).toBe(303);
  expect((await visitor.submit('/console/sign-out', 'leave')).location).toBe('/console/sign-in');
  expect((await visitor.get('/console/account')).status).toBe(303);
});
