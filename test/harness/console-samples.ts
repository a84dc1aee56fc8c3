import type { Client } from './client.js';
import { makeType } from '../../src/modules/documents/testing/document-types.js';
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
  const type = await makeType(app, workspace.ctx());
  const key = await create('/developer/api-keys', { name: AWKWARD_NAME, module: 'tasks', mode: 'test', scopes: ['tasks:task:read'] });
  const leadKey = await workspace.key({ module: 'lead_webhook', project_id: eng.id });
  await leadKey.client.post('/api/v1/webhooks/leads', { full_name: AWKWARD_NAME, email: 'grace@example.com' });
  const endpoint = await create('/developer/webhook-endpoints', { url: `${app.url}/hooks`, description: AWKWARD_NAME, events: ['*'] });
  const trigger = await create('/developer/triggers', {
    name: AWKWARD_NAME,
    event_type: 'deal.won',
    document_type_id: type.id,
    title_template: 'Agreement',
    source_map: {},
  });
  await create('/tasks/tasks', { project_id: eng.id, title: AWKWARD_NAME });
  const event = await firstOf('/developer/events');
  const delivery = await firstOf('/developer/deliveries');
  const permissions = ['org.developer.logs.view'];
  const role = await create('/roles', { name: `<i>${'r'.repeat(50)}`, description: AWKWARD_NAME, permissions });
  await create('/invitations', { name: AWKWARD_NAME, email: `invited-${eng.id}@example.com`, role: 'member' });
  return {
    '/console/keys/new': '/console/keys/new?module=tasks&access=choose',
    '/console/keys/:id': `/console/keys/${key}?tab=settings`,
    '/console/lead-webhook/keys/:id': `/console/lead-webhook/keys/${leadKey.id}`,
    '/console/lead-webhook/requests/:id': `/console/lead-webhook/requests/${await firstOf('/developer/lead-webhook-logs')}`,
    '/console/logs/:id': `/console/logs/${await firstOf('/developer/logs')}`,
    '/console/triggers/:id': `/console/triggers/${trigger}`,
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
