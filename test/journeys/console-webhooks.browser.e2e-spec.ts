import { afterAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openBrowser, pageOf } from '../harness/browser.js';
import type { Client } from '../harness/client.js';
import { eventually } from '../harness/eventually.js';
import { sharedApp } from '../harness/hosted-app.js';
import { Receiver } from '../harness/receiver.js';

const DEVELOPER_AREA = '/api/v1/org/developer';

const browser = await openBrowser();
const seen = browser ? describe : describe.skip;
const app = await sharedApp();
const receiver = await Receiver.start();
const space = await app.workspace();
const owner = await space.signIn();

afterAll(() => receiver.stop());

/** A page of a telephone without scripts, on which the member is signed in. */
async function open(member: Client, path: string): Promise<Page> {
  const page = await pageOf(browser!, { viewport: { width: 360, height: 740 }, javaScriptEnabled: false });
  const [name, value] = member.headers.cookie.split('=', 2);
  await page.context().addCookies([{ name, value, url: app.url }]);
  await page.goto(`${app.url}/console${path}`);
  return page;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

seen('on a telephone without scripts', () => {
  test('an endpoint is set up and tested, and what it was sent is read', async () => {
    const page = await open(owner, '/webhooks');
    await link(page, 'Set up an endpoint').click();
    await page.getByLabel('Address').fill(receiver.url('/telephone'));
    await button(page, 'Create endpoint').click();
    // the events were forgotten; the address is kept
    await page.getByRole('alert').waitFor();
    await page.getByText('Tasks (', { exact: false }).click();
    await page.getByLabel('task.created').check();
    await button(page, 'Create endpoint').click();
    expect(await page.getByLabel('Signing secret').inputValue()).toMatch(/^svc_whsec_/);
    await link(page, 'I have stored it').click();
    await page.getByRole('navigation', { name: 'Parts of this page' }).waitFor();
    await button(page, 'Send a test event').first().click();
    const result = page.getByRole('heading', { name: 'The test event ' });
    // on a busy machine the page may answer before the receiver
    while ((await result.innerText()) === 'The test event is on its way') await link(page, 'Look again').click();
    expect(await result.innerText()).toBe('The test event arrived');
    await link(page, 'See what was sent and answered').click();
    const [received] = receiver.at('/telephone');
    expect(JSON.parse(await page.locator('#body').innerText())).toEqual(received.event);
    expect(received.event.type).toBe('webhook_endpoint.tested');
  });

  test('what failed in an outage is sent again by one button that says how many there are', async () => {
    const { id, path, got } = await receiver.subscribe(owner, { events: ['task.created'] });
    receiver.on(path, (_request, response) => response.writeHead(503).end());
    for (const title of ['One', 'Two', 'Three']) {
      const made = await owner.post('/api/v1/org/tasks/tasks', { project_id: space.eng.id, title });
      expect([made.status, made.text]).toEqual([201, made.text]);
    }
    await eventually(
      async () => (await owner.get(`${DEVELOPER_AREA}/deliveries?endpoint_id=${id}`)).body.data as { last_error: string | null }[],
      (deliveries) => deliveries.length === 3 && deliveries.every(({ last_error }) => last_error !== null),
    );
    const failed = new Set(got().map(({ eventId }) => eventId));
    const page = await open(owner, `/webhooks/${id}`);
    await button(page, 'Resend 3 deliveries').waitFor();
    const before = got().length;
    receiver.on(path, (_request, response) => response.end('ok'));
    await button(page, 'Resend 3 deliveries').click();
    await page.getByText('The failed deliveries are on their way.').waitFor();
    const again = await eventually(
      () => Promise.resolve(got().slice(before)),
      (received) => received.length >= 3,
    );
    expect(new Set(again.map(({ eventId }) => eventId))).toEqual(failed);
  });
});

seen('a member who may only see lead keys', () => {
  test('sees the keys, but no way to create one and no requests', async () => {
    const permissions = ['org.developer.leadkeys.view'];
    expect((await owner.post('/api/v1/org/roles', { name: 'Key-viewer', permissions })).status).toBe(201);
    const key = { name: 'Contact form', module: 'lead_webhook', mode: 'live', scopes: ['lead_webhook:lead:write'] };
    expect((await owner.post(`${DEVELOPER_AREA}/api-keys`, key)).status).toBe(201);
    const viewer = await space.signIn((await space.member('Key-viewer')).email);
    const page = await open(viewer, '/lead-webhook');
    expect(await link(page, 'New key').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Requests' }).count()).toBe(0);
    await link(page, 'Contact form').click();
    await page.getByRole('heading', { name: 'Contact form' }).waitFor();
    expect(await page.locator('main form').count()).toBe(0);
    const statuses = [];
    for (const path of ['/lead-webhook/new', '/lead-webhook/requests', '/logs'])
      statuses.push((await page.goto(`${app.url}/console${path}`))?.status());
    expect(statuses.slice(0, 2)).toEqual([403, 403]);
    expect(statuses[2]).not.toBe(200);
  });
});
