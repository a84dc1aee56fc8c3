import type { Client } from './client.js';
import { contractsOf } from '../contract/module-contract.js';
import { eventually } from './eventually.js';
import type { TestApp } from './test-app.js';
import type { Workspace } from './workspace.js';

/** A name that tempts a page to break out of its markup, or of a narrow screen. */
const AWKWARD_NAME = `<b>"Nightly" & 'import'</b> ${'x'.repeat(60)}`;

/**
 * An address for each page of the console whose path has parameters, and for pages that show more with some; by the path as the page
 * declares it. What the pages show is created here, with awkward names.
 */
export async function consoleSamples(app: TestApp, workspace: Workspace, owner: Client): Promise<Record<string, string>> {
  const { eng } = workspace;
  const create = async (path: string, body: object) => {
    const response = await owner.post(`/api/v1/org${path}`, body);
    if (response.status !== 201) throw new Error(`POST ${path} answered ${response.status}: ${response.text}`);
    return response.body.id as string;
  };
  const firstOf = async (path: string) => {
    const read = async () => (await owner.get(`/api/v1/org${path}`)).body.data as { id: string }[];
    return (await eventually(read, (rows) => rows.length > 0))[0].id;
  };
  const mail = { to: 'grace@example.com', subject: AWKWARD_NAME, text: AWKWARD_NAME, permission: null };
  await app.inside<typeof import('./send-mail.js')>('test/harness/send-mail.ts').sendMail(workspace.ctx(), mail);
  const { modules } = await app.inside<typeof import('../contract/declarations.js')>('test/contract/declarations.ts').declarations();
  const [{ name: module, scopes }] = modules;
  const key = await create('/developer/api-keys', { name: AWKWARD_NAME, module, mode: 'test', scopes: Object.keys(scopes).slice(0, 1) });
  const endpoint = await create('/developer/webhook-endpoints', { url: `${app.url}/hooks`, description: AWKWARD_NAME, events: ['*'] });
  // after the endpoint, so that there are deliveries
  const addresses: Record<string, string> = {};
  for (const { consolePages } of (await contractsOf(modules)).values())
    Object.assign(addresses, await consolePages?.({ app, workspace, owner, name: AWKWARD_NAME }));
  const event = await firstOf('/developer/events');
  const delivery = await firstOf('/developer/deliveries');
  const permissions = ['org.developer.logs.view'];
  const role = await create('/roles', { name: `<i>${'r'.repeat(50)}`, description: AWKWARD_NAME, permissions });
  await create('/invitations', { name: AWKWARD_NAME, email: `invited-${eng.id}@example.com`, role: 'member' });
  const { resources } = (await owner.get('/api/v1/org/custom-fields/resources')).body as { resources: { resource: string }[] };
  const field = { key: `sample_${'x'.repeat(50)}`, label: AWKWARD_NAME, type: 'choice', options: [AWKWARD_NAME] };
  for (const { resource } of resources.slice(0, 1))
    addresses['/console/settings/custom-fields/:id'] =
      `/console/settings/custom-fields/${await create('/custom-fields', { ...field, resource })}`;
  return {
    ...addresses,
    '/console/keys/new': `/console/keys/new?module=${module}&access=choose`,
    '/console/keys/:id': `/console/keys/${key}?tab=settings`,
    '/console/logs/:id': `/console/logs/${await firstOf('/developer/logs')}`,
    '/console/settings/audit-log': `/console/settings/audit-log?entry=${await firstOf('/audit-entries')}`,
    '/console/settings/members/:id': `/console/settings/members/${workspace.owner.id}`,
    '/console/settings/roles/:id': `/console/settings/roles/${role}`,
    '/console/settings/projects/:id': `/console/settings/projects/${eng.id}`,
    '/console/webhooks/:id': `/console/webhooks/${endpoint}`,
    '/console/webhooks/:id/deliveries/:delivery': `/console/webhooks/${endpoint}/deliveries/${delivery}`,
    '/console/deliveries/:id': `/console/deliveries/${delivery}`,
    '/console/events/:id': `/console/events/${event}`,
    '/console/mail/:id': `/console/mail/${await firstOf('/developer/mail-outbox')}`,
  };
}
