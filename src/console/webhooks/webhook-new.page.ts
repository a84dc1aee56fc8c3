import { html, type Html } from '../../kit/index.js';
import type { WebhookEndpointWithSecretDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import { secretView } from '../components/blocks.js';
import { definePage, type View } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';
import { endpointFields, endpointOf } from './endpoint-fields.js';
import { eventTypesOf, projectsOf } from './endpoints.js';

const ABOVE = [{ path: '/webhooks', label: 'Webhooks' }];

export const webhookNewPage = definePage({
  path: '/webhooks/new',
  title: 'New endpoint',
  permission: 'org.developer.webhooks.manage',
  operations: ['list_event_types', 'create_webhook_endpoint'],
  hasMode: true,
  async show(visit) {
    const [types, projects] = await Promise.all([eventTypesOf(visit), projectsOf(visit)]);
    const form = visit.form('create', { prefill: true });
    return {
      title: 'New endpoint',
      above: ABOVE,
      lead: html`It gets what happens to ${visit.mode === 'test' ? 'test data' : 'live data'}. That cannot be changed later.`,
      body: form.render({
        body: endpointFields(visit, form, { types, projects: projects.data }),
        submit: { label: visit.mode === 'test' ? 'Create endpoint for test data' : 'Create endpoint' },
        className: 'narrow',
      }),
    };
  },
  actions: {
    create: {
      operations: ['create_webhook_endpoint'],
      refusal: 'The endpoint was not created',
      async run(visit, values) {
        const body = { ...endpointOf(values), mode: visit.mode };
        return webhookSecretView(
          visit,
          'Endpoint created',
          await visit.post<WebhookEndpointWithSecretDto>('/developer/webhook-endpoints', body),
        );
      },
    },
  },
});

/** The page that shows the signing secret of a new endpoint, or the new one of an endpoint. */
export function webhookSecretView(visit: Visit, title: string, { id, secret }: WebhookEndpointWithSecretDto): View {
  return secretView({
    title,
    label: 'Signing secret',
    secret,
    advice: 'Your receiver needs it to check that a delivery comes from here. Put it where it keeps its other secrets.',
    above: ABOVE,
    next: visit.link(`/webhooks/${id}`),
    lost: html`If it is lost, <a href="${visit.link(`/webhooks/${id}`, { tab: 'settings' })}#secret">roll it</a> for a new one.`,
    more: RECEIVERS,
  });
}

const RECEIVERS: Html = html`<p>Complete receivers in TypeScript, Python and Go are in
<a href="/docs/webhooks">Receiving webhooks</a>.</p>`;
