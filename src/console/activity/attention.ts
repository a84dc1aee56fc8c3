import { DAY_MS, html, type Html, type ListBody } from '../../kit/index.js';
import type { ApiKeyDto } from '../../platform/keys/api-keys.dto.js';
import type { MailDto } from '../../platform/mail/mails.dto.js';
import type { WebhookEndpointDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import { badge, type Tone } from '../components/badge.js';
import { keyPath, keysPath, viewsKeys } from '../components/key-link.js';
import { counted } from '../components/numbers.js';
import { table } from '../components/table.js';
import { timeOf } from '../components/times.js';
import type { Visit } from '../frame/visit.js';

const SOON_MS = 14 * DAY_MS;
const MOST = 5;

/** A problem, present or expected. */
interface Matter {
  state: readonly [label: string, tone: Tone];
  what: string;
  link: string;
  detail: Html | string;
}

/** The problems that need attention, as far as the member may see them; false if there are none. */
export async function attention(visit: Visit): Promise<Html | false> {
  const parts = await Promise.all([failingEndpoints(visit), endingKeys(visit), refusedMails(visit)]);
  const rows = parts.flat();
  if (rows.length === 0) return false;
  const list = table({
    caption: 'Needs attention',
    rows,
    columns: [
      { label: 'What', cell: ({ what, link }) => html`<a href="${link}">${what}</a>` },
      { label: 'State', isState: true, cell: ({ state }) => badge(...state) },
      { label: 'Details', cell: ({ detail }) => detail },
    ],
  });
  return html`<h2>Needs attention</h2>${list}`;
}

async function failingEndpoints(visit: Visit): Promise<Matter[]> {
  if (!visit.can('org.developer.webhooks.manage')) return [];
  const { mode } = visit;
  const list = await visit.list<WebhookEndpointDto>('/developer/webhook-endpoints', { failing: true, mode, limit: MOST });
  const matters = list.data.map(({ id, url, status, failing_since }): Matter => ({
    what: url,
    link: visit.link(`/webhooks/${id}`),
    state: status === 'disabled' ? ['Disabled', 'bad'] : ['Failing', 'bad'],
    detail: html`Failing since ${timeOf(failing_since)}`,
  }));
  return [...matters, ...more(list, 'More failing endpoints', visit.link('/webhooks', { failing: true }))];
}

async function endingKeys(visit: Visit): Promise<Matter[]> {
  if (!visit.can(viewsKeys(visit))) return [];
  const expires_before = new Date(Date.now() + SOON_MS).toISOString();
  const keys = await visit.all<ApiKeyDto>('/developer/api-keys', { status: 'active', mode: visit.mode, expires_before });
  const soonest = keys.data.toSorted((one, other) => Date.parse(one.expires_at!) - Date.parse(other.expires_at!));
  const matters = soonest.slice(0, MOST).map(({ id, module, name, expires_at }): Matter => ({
    what: name,
    link: visit.link(keyPath(visit, { id, module })),
    state: Date.parse(expires_at!) - Date.now() < 2 * DAY_MS ? ['Key expires', 'bad'] : ['Key expires', 'warn'],
    detail: timeOf(expires_at),
  }));
  const hidden = soonest.length - matters.length;
  return hidden > 0
    ? [
        ...matters,
        {
          what: counted(hidden, 'more key'),
          link: visit.link(keysPath(visit)),
          state: ['Key expires', 'warn'],
          detail: 'Within 14 days',
        },
      ]
    : matters;
}

async function refusedMails(visit: Visit): Promise<Matter[]> {
  if (!visit.can('org.developer.mail.view')) return [];
  const query = { status: 'failed', created_after: new Date(Date.now() - DAY_MS).toISOString(), mode: visit.mode };
  const { total_count, data } = await visit.list<MailDto>('/developer/mail-outbox', { ...query, include_total: true, limit: 1 });
  if (!total_count) return [];
  return [
    {
      what: counted(total_count, 'failed mail'),
      link: visit.link('/mail', { status: 'failed' }),
      state: ['Not sent', 'bad'],
      detail: data[0].error ?? 'In the last 24 hours',
    },
  ];
}

function more({ has_more }: ListBody<unknown>, what: string, link: string): Matter[] {
  return has_more ? [{ what, link, state: ['Failing', 'bad'], detail: '' }] : [];
}
