import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { Client, type ApiResponse } from '../../../../../test/harness/client.js';
import { WorkflowFixture } from '../../testing/workflow-fixture.js';
import { poppler } from '../../testing/poppler.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const tools = poppler();
const app = await sharedApp();
let workflow: WorkflowFixture;
let visitor: Client;
let code: string;

beforeAll(async () => {
  workflow = await WorkflowFixture.open(app);
  visitor = new Client(app.url, { accept: 'text/html', 'user-agent': 'Test browser' });
  ({ code } = await workflow.type({ template: 'An offer to {{customer}}.' }));
});

const share = (id: string, body: object = {}, headers = {}) =>
  workflow.api.post(`/api/v1/ext/papers/documents/${id}/share-link`, body, headers);
const pathOf = ({ body }: ApiResponse) => (body.url as string).slice(app.url.length);
const enter = (path: string, passcode: string, client = visitor) => client.post(path, new URLSearchParams({ passcode }).toString(), FORM);
const cookieOf = ({ headers }: ApiResponse) => ({ cookie: String(headers['set-cookie']).split(';')[0] });
const opened = async (id: string) =>
  (await workflow.screen.get(`/api/v1/org/papers/documents/${id}/audit-entries`)).body.data.filter(({ action }: { action: string }) =>
    action.startsWith('papers.share_'),
  );

describe('a share link', () => {
  test('defaults to seven days without passcode and download, and its token is not stored', async () => {
    const { id } = await workflow.draft(code);
    const made = await share(id);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      object: 'share_link',
      document_id: id,
      has_passcode: false,
      allow_download: false,
      revoked_at: null,
      locked: false,
      url: expect.stringMatching(/\/p\/[\w-]{43}$/),
    });
    expect(Math.abs(Date.parse(made.body.expires_at) - Date.now() - 7 * 86_400_000)).toBeLessThan(60_000);
    const token = pathOf(made).slice('/p/'.length);
    const { rows } = await app.sql.query<{ token_hash: string; row: string }>(
      'SELECT token_hash, l::text AS row FROM document_share_links l WHERE id = $1',
      [made.body.id],
    );
    expect([rows[0].token_hash, rows[0].row.includes(token)]).toEqual([createHash('sha256').update(token).digest('hex'), false]);
  });

  test('of a document of the test mode says that signatures have no effect', async () => {
    const key = await workflow.key({ mode: 'test' });
    const { id } = await workflow.draft(code, {}, key);
    const made = await key.post(`/api/v1/ext/papers/documents/${id}/share-link`, {});
    expect((await visitor.get(pathOf(made))).text).toContain('<p class="mark">TEST: signatures have no effect</p>');
  });

  test('has its URL only in the first response, not in lists or when a request is repeated with its Idempotency-Key', async () => {
    const { id } = await workflow.draft(code);
    const key = { 'idempotency-key': `share-${id}` };
    const [first, again] = [await share(id, { passcode: 'blue harbour' }, key), await share(id, { passcode: 'blue harbour' }, key)];
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([201, 'true', { ...first.body, url: null }]);
    const listed = await workflow.screen.get(`/api/v1/org/papers/documents/${id}/share-links`);
    expect(listed.body.data).toEqual([{ ...first.body, url: null }]);
    expect(JSON.stringify([first.body, listed.body])).not.toMatch(/blue harbour|hash|argon2/);
  });

  test.each([
    [{ expires_days: 0 }, 'expires_days'],
    [{ expires_days: 366 }, 'expires_days'],
    [{ passcode: 'abc' }, 'passcode'],
    [{ passcode: 'x'.repeat(65) }, 'passcode'],
    [{ allow_download: 'yes' }, 'allow_download'],
  ])('cannot be created with %j', async (body, param) => {
    const { id } = await workflow.draft(code);
    const rejected = await share(id, body);
    expect([rejected.status, rejected.body.error.code, rejected.body.error.param]).toEqual([400, 'validation_failed', param]);
  });

  test('cannot be created for a rejected, revoked or superseded document, and existing links end with its state', async () => {
    for (const state of ['rejected', 'revoked', 'superseded']) {
      const { id } = await workflow.draft(code);
      const path = pathOf(await share(id));
      await workflow.put(id, state);
      const rejected = await share(id);
      expect([rejected.status, rejected.body.error.code, rejected.body.error.allowed.includes('executed')]).toEqual([
        400,
        'invalid_transition',
        true,
      ]);
      expect((await visitor.get(path)).status).toBe(410);
    }
  });

  test('cannot be created, listed or revoked by another organization', async () => {
    const { id } = await workflow.draft(code);
    const { body } = await share(id);
    const otherWorkspace = await app.workspace();
    const screen = await otherWorkspace.signIn();
    const { client } = await otherWorkspace.key({ module: 'documents' });
    const links = `/api/v1/org/papers/documents/${id}/share-links`;
    const responses = [
      await client.post(`/api/v1/ext/papers/documents/${id}/share-link`, {}),
      await screen.get(links),
      await screen.post(links, {}),
      await screen.delete(`${links}/${body.id}`),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });
});

describe('the page of a shared document', () => {
  test('shows the current document, marked DRAFT until it is finalized, and forbids caching and indexing', async () => {
    const { id } = await workflow.draft(code, { title: 'Offer <1>', data_values: { customer: '<img src=x onerror=alert(1)>' } });
    const path = pathOf(await share(id));
    const { status, headers, text } = await visitor.get(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'self' \S+; img-src 'self'; connect-src 'self'; font-src 'self'; script-src \S+; form-action 'self'/,
    );
    expect(text).toContain('<h1>Offer &lt;1&gt;</h1>');
    expect(text).toContain('>DRAFT</p>');
    expect(text).not.toMatch(/<img src=(?!"\/p\/)|<form|\/pdf/);
    const picture = await visitor.get(`${path}/pages/1?width=720`);
    expect([picture.status, picture.headers['content-type'], picture.headers['cache-control']]).toEqual([
      200,
      'image/png',
      'no-store, no-transform',
    ]);
    expect(String((await visitor.get(`${path}/pages/1/text`)).body)).toContain('An offer to');
    expect((await visitor.get(`${path}/pages/1?file=0000000000000000`)).status).toBe(404);
    for (const wrong of ['/pages/0', '/pages/2', '/pages/x', '/pages/2/text']) expect((await visitor.get(path + wrong)).status).toBe(404);
    expect((await visitor.get(`${path}/pages/1?width=9999`)).status).toBe(400);
    await workflow.org(id, 'finalize');
    expect((await visitor.get(path)).text).not.toContain('DRAFT');
  });

  test('offers the PDF only if the link allows downloads', async () => {
    const { id } = await workflow.draft(code);
    const [closed, open] = [pathOf(await share(id)), pathOf(await share(id, { allow_download: true }))];
    expect((await visitor.get(`${closed}/pdf`)).status).toBe(404);
    expect((await visitor.get(open)).text).toContain(`href="${open}/pdf"`);
    const file = await visitor.get(`${open}/pdf`);
    expect([
      file.status,
      file.headers['content-type'],
      file.headers['content-disposition'].startsWith('attachment'),
      file.headers['cache-control'],
    ]).toEqual([200, 'application/pdf', true, 'no-store, no-transform']);
    if (tools) expect(tools.text(file.body as Buffer)).toContain('DRAFT');
  });

  test('is recorded each time it is opened, with the address', async () => {
    const { id } = await workflow.draft(code);
    const made = await share(id, { allow_download: true });
    await visitor.get(pathOf(made));
    await visitor.get(`${pathOf(made)}/pdf`);
    expect((await opened(id)).map(({ action, actor, detail }: Record<string, unknown>) => [action, actor, detail])).toEqual(
      ['papers.share_opened', 'papers.share_downloaded'].map((action) => [
        action,
        { type: 'guest', id: null, email: null },
        { share_link_id: made.body.id, address: '127.0.0.1', user_agent: 'Test browser' },
      ]),
    );
  });

  test('is 404 for an unknown token and 410 once the link has expired or was revoked', async () => {
    const { id } = await workflow.draft(code);
    const [expired, revoked] = [await share(id), await share(id)];
    await app.sql.query(`UPDATE document_share_links SET expires_at = now() WHERE id = $1`, [expired.body.id]);
    const end = () => workflow.screen.delete(`/api/v1/org/papers/documents/${id}/share-links/${revoked.body.id}`);
    expect([(await end()).status, (await end()).status]).toEqual([204, 404]);
    const paths = [pathOf(expired), pathOf(revoked), `/p/${'A'.repeat(43)}`, '/p/x'];
    for (const suffix of ['', '/pdf'])
      expect((await Promise.all(paths.map((path) => visitor.get(path + suffix)))).map(({ status }) => status)).toEqual([
        410, 410, 404, 404,
      ]);
    expect((await enter(paths[0], 'x')).status).toBe(410);
    expect(await opened(id)).toEqual([]);
  });
});

describe('a link by which nobody can read the document', () => {
  test('leads to a page in the language of the document, with what became of it for those who could read it', async () => {
    const german = await workflow.type({ language: 'de' });
    const { id } = await workflow.draft(german.code, { title: 'Angebot' });
    const [open, closed, expired] = [await share(id), await share(id, { passcode: 'blue harbour' }), await share(id)];
    const page = async (made: ApiResponse) => {
      const { status, text, headers } = await visitor.get(pathOf(made));
      expect([status, headers['content-type'], text.includes('<html lang="de">')]).toEqual([410, 'text/html; charset=utf-8', true]);
      return text;
    };
    await app.sql.query(`UPDATE document_share_links SET expires_at = now() WHERE id = $1`, [expired.body.id]);
    expect(await page(expired)).toContain('Dieser Link ist abgelaufen.');
    await workflow.put(id, 'revoked');
    for (const part of ['<h1>Angebot</h1>', 'Der Absender hat dieses Dokument zurückgezogen.']) expect(await page(open)).toContain(part);
    const secret = await page(closed);
    expect(secret).toContain('Dieses Dokument wird nicht mehr geteilt.');
    expect(secret).not.toContain('Angebot');
    await workflow.screen.delete(`/api/v1/org/papers/documents/${id}/share-links/${open.body.id}`);
    expect(await page(open)).toContain('teilt dieses Dokument nicht mehr über diesen Link.');
  });
});

describe('a passcode', () => {
  const protectedLink = async (): Promise<{ id: string; linkId: string; path: string }> => {
    const { id } = await workflow.draft(code, { title: 'Secret offer' });
    const made = await share(id, { passcode: 'blue harbour', allow_download: true });
    return { id, linkId: made.body.id, path: pathOf(made) };
  };

  test('is required before the page reveals anything about the document, and grants access for a limited time', async () => {
    const { id, linkId, path } = await protectedLink();
    const closed = await visitor.get(path);
    expect([closed.status, closed.text.includes('<h1>Enter the passcode</h1>'), closed.text.includes('Secret')]).toEqual([
      200,
      true,
      false,
    ]);
    for (const part of ['/pdf', '/pages/1', '/pages/1/text']) expect((await visitor.get(path + part)).headers.location).toBe(path);
    const entered = await enter(path, 'blue harbour');
    expect([entered.status, entered.headers.location]).toEqual([303, path]);
    expect(String(entered.headers['set-cookie'])).toMatch(new RegExp(`; Path=${path}; Max-Age=1800; HttpOnly; SameSite=Strict$`));
    const inside = cookieOf(entered);
    expect((await visitor.get(path, inside)).text).toContain('Secret offer');
    for (const part of ['/pdf', '/pages/1', '/pages/1/text']) expect((await visitor.get(path + part, inside)).status).toBe(200);
    expect((await opened(id)).length).toBe(2);
    const { rows } = await app.sql.query<{ passcode_hash: string }>('SELECT passcode_hash FROM document_share_links WHERE id = $1', [
      linkId,
    ]);
    expect(rows[0].passcode_hash).toMatch(/^\$argon2id\$/);
  });

  test('of one link opens no other link, and a forged cookie opens none', async () => {
    const [one, other] = [await protectedLink(), await protectedLink()];
    const pass = cookieOf(await enter(one.path, 'blue harbour'));
    const passes = [
      pass,
      { cookie: 'share_pass=x' },
      { cookie: `share_pass=${encodeURIComponent(JSON.stringify({ share_link_id: other.linkId, until: 9e15 }))}` },
      { cookie: 'share_pass=%E0%A4%A' },
    ];
    for (const headers of passes) expect((await visitor.get(other.path, headers)).text).not.toContain('Secret');
  });

  test('allows five attempts in 15 minutes, concurrent or sequential', async () => {
    const { linkId, path } = await protectedLink();
    const tries = await Promise.all(Array.from({ length: 8 }, () => enter(path, 'wrong')));
    expect(tries.map(({ status }) => status).sort()).toEqual([403, 403, 403, 403, 403, 429, 429, 429]);
    const rejected = await enter(path, 'blue harbour');
    expect([rejected.status, Number(rejected.headers['retry-after']) > 800, rejected.text.includes('Try again in 15 minutes')]).toEqual([
      429,
      true,
      true,
    ]);
    await app.sql.query(`UPDATE document_share_links SET failing_since = failing_since - interval '15 minutes' WHERE id = $1`, [linkId]);
    expect((await enter(path, 'blue harbour')).status).toBe(303);
  });

  test('locks the link permanently after twenty wrong attempts, even with right ones in between', async () => {
    const { id, linkId, path } = await protectedLink();
    await app.sql.query('UPDATE document_share_links SET failures = 18 WHERE id = $1', [linkId]);
    await enter(path, 'wrong');
    const pass = cookieOf(await enter(path, 'blue harbour'));
    expect((await enter(path, 'wrong')).text).toContain('this link is locked');
    const right = await enter(path, 'blue harbour');
    expect([right.status, right.headers['set-cookie']]).toEqual([403, undefined]);
    expect((await visitor.get(path)).text).toContain('this link is locked');
    expect((await visitor.get(path, pass)).text).toContain('Secret offer');
    expect((await workflow.screen.get(`/api/v1/org/papers/documents/${id}/share-links`)).body.data[0].locked).toBe(true);
  });
});
