import { setTimeout as wait } from 'node:timers/promises';
import { html, redirect, type Html } from '../../kit/index.js';
import type { DeliveryDto, ResentDeliveriesDto } from '../../platform/webhooks/deliveries/deliveries.dto.js';
import type {
  SentTestEventDto,
  WebhookEndpointDto,
  WebhookEndpointWithSecretDto,
} from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import { modeBadge } from '../components/badge.js';
import { definitions } from '../components/blocks.js';
import { tabOf, tabs } from '../components/lists.js';
import { timeOf } from '../components/times.js';
import { requireTyped } from '../components/typed-confirmation.js';
import { definePage } from '../frame/page-definition.js';
import { tabParameter } from '../frame/parameters.js';
import type { Visit } from '../frame/visit.js';
import { endpointOf } from './endpoint-fields.js';
import { endpointBadge, eventsOf, inMode, projectsOf, reasonOf } from './endpoints.js';
import { deliveriesTab, DELIVERY_FILTERS } from './webhook-deliveries.js';
import { HEALTH_SPAN, healthTab } from './webhook-health.js';
import { webhookSecretView } from './webhook-new.page.js';
import { RESEND_SINCE, resendSince } from './webhook-resend.js';
import { nameOf, settingsTab } from './webhook-settings.js';
import { testResult } from './webhook-test.js';

const TABS = [
  { key: 'deliveries', label: 'Deliveries' },
  { key: 'health', label: 'Health' },
  { key: 'settings', label: 'Settings' },
];
/** How long the page waits for the result of a test event. */
const TEST_POLLS = 10;
const TEST_POLL_MS = 200;

export const webhookPage = definePage({
  path: '/webhooks/:id',
  title: 'Endpoint',
  permission: 'org.developer.webhooks.manage',
  operations: ['get_webhook_endpoint', 'list_deliveries', 'get_delivery_analytics'],
  parameters: { ...tabParameter(TABS), ...DELIVERY_FILTERS, ...HEALTH_SPAN, ...RESEND_SINCE },
  notices: {
    saved: 'The endpoint was changed.',
    enabled: 'The endpoint is enabled. What failed before can be resent below.',
    disabled: 'The endpoint is disabled: nothing is sent to it.',
    resent: 'The failed deliveries are on their way.',
  },
  async show(visit) {
    const endpoint = await visit.get<WebhookEndpointDto>(pathOf(visit));
    const tab = tabOf(visit, TABS);
    const shown = { deliveries: deliveriesTab, health: healthTab, settings: settingsTab }[tab] as typeof deliveriesTab;
    const [project, tested, content] = await Promise.all([projectName(visit, endpoint), testResult(visit), shown(visit, endpoint)]);
    return {
      title: endpoint.url,
      above: [{ path: inMode('/webhooks', endpoint.mode), label: 'Webhooks' }],
      lead: endpoint.description ?? undefined,
      mode: endpoint.mode,
      tools: endpoint.status === 'enabled' ? visit.form('test').render({ submit: { label: 'Send a test event' } }) : undefined,
      body: html`${tested}${facts(endpoint, project)}${tabs(visit, TABS)}${content}`,
    };
  },
  actions: {
    test: {
      operations: ['send_test_event'],
      refusal: 'No test event was sent',
      async run(visit) {
        const { event_id } = await visit.post<SentTestEventDto>(`${pathOf(visit)}/test`);
        for (let poll = 0; poll < TEST_POLLS; poll++) {
          const { data } = await visit.list<DeliveryDto>('/developer/deliveries', { event_id });
          if (data.some(({ attempt_count }) => attempt_count > 0)) break;
          await wait(TEST_POLL_MS);
        }
        return redirect(visit.here({ tested: event_id }));
      },
    },
    resend: {
      operations: ['resend_failed_deliveries'],
      refusal: 'Nothing was resent',
      async run(visit, values) {
        const { id: endpoint_id } = await visit.get<WebhookEndpointDto>(pathOf(visit));
        await visit.post<ResentDeliveriesDto>('/developer/deliveries/resend', {
          endpoint_id,
          since: resendSince(values.text('since')),
          include_waiting: true,
        });
        return redirect(visit.link(visit.path, { done: 'resent' }));
      },
    },
    change: {
      operations: ['update_webhook_endpoint'],
      refusal: 'The endpoint was not changed',
      async run(visit, values) {
        await visit.patch(pathOf(visit), endpointOf(values), Number(values.text('version')));
        return redirect(visit.here({ done: 'saved' }));
      },
    },
    roll: {
      operations: ['roll_webhook_secret'],
      refusal: 'The secret was not replaced',
      async run(visit, values) {
        const body = { overlap_hours: values.number('overlap_hours') };
        const rolled = await visit.post<WebhookEndpointWithSecretDto>(`${pathOf(visit)}/roll-secret`, body);
        return webhookSecretView(visit, 'Signing secret replaced', rolled);
      },
    },
    enable: {
      operations: ['enable_webhook_endpoint'],
      refusal: 'The endpoint was not enabled',
      async run(visit) {
        await visit.post(`${pathOf(visit)}/enable`);
        return redirect(visit.link(visit.path, { done: 'enabled' }));
      },
    },
    disable: {
      operations: ['disable_webhook_endpoint'],
      refusal: 'The endpoint was not disabled',
      async run(visit) {
        await visit.post(`${pathOf(visit)}/disable`);
        return redirect(visit.here({ done: 'disabled' }));
      },
    },
    delete: {
      operations: ['delete_webhook_endpoint'],
      refusal: 'The endpoint was not deleted',
      async run(visit, values) {
        const endpoint = await visit.get<WebhookEndpointDto>(pathOf(visit));
        requireTyped(values, nameOf(endpoint));
        await visit.delete(pathOf(visit));
        return redirect(visit.link('/webhooks', { mode: endpoint.mode === 'test' ? 'test' : null, done: 'deleted' }));
      },
    },
  },
});

function pathOf(visit: Visit): string {
  return `/developer/webhook-endpoints/${visit.param('id')}`;
}

async function projectName(visit: Visit, { project_id }: WebhookEndpointDto): Promise<string> {
  if (project_id === null) return 'All projects';
  return (await projectsOf(visit)).data.find(({ id }) => id === project_id)?.name ?? project_id;
}

function facts(endpoint: WebhookEndpointDto, project: string): Html {
  const { status, failing_since, slow_since, disabled_at, held_until, hold_reason, previous_secret_expires_at } = endpoint;
  const since = status === 'disabled' ? disabled_at : (failing_since ?? slow_since);
  const why = status === 'disabled' && html` <span class="soft">${reasonOf(endpoint)}</span>`;
  return definitions([
    ['State', html`${endpointBadge(endpoint)}${since !== null && html` since ${timeOf(since)}`}${why}`],
    ['Paused until', held_until !== null && html`${timeOf(held_until)} <span class="soft">${hold_reason}</span>`],
    ['Data', modeBadge(endpoint.mode)],
    ['Events', eventsOf(endpoint)],
    ['Project', project],
    ['Old secret valid until', previous_secret_expires_at !== null && timeOf(previous_secret_expires_at)],
  ]);
}
