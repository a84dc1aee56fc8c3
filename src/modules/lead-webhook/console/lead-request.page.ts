import {
  type ApiKeyDto,
  definePage,
  definitions,
  duration,
  keyLink,
  modeBadge,
  statusBadge,
  textBlock,
  timeOf,
  type Visit,
} from '../../../console/index.js';
import { html, type Html } from '../../../kit/index.js';
import { LEAD_REQUESTS } from './lead-keys.js';
import type { LeadWebhookLogDto, LeadWebhookLogWithBodyDto } from '../log/lead-webhook-logs.dto.js';
import { resultBadge } from './lead-request.js';

/** Longer lists of leads are cut. */
const MOST_CANDIDATES = 20;

export const leadRequestPage = definePage({
  path: `${LEAD_REQUESTS}/:id`,
  title: 'Lead request',
  permission: 'org.developer.leadkeys.logs.view',
  operations: ['get_lead_webhook_log'],
  async show(visit) {
    const request = await visit.get<LeadWebhookLogWithBodyDto>(`/developer/lead-webhook-logs/${visit.param('id')}`);
    const key = await visit.find<ApiKeyDto>(`/developer/api-keys/${request.api_key_id}`);
    const { mode, result, status, code, lead_id, candidate_ids, created_at } = request;
    return {
      title: 'Lead request',
      above: [{ path: mode === 'test' ? `${LEAD_REQUESTS}?mode=test` : LEAD_REQUESTS, label: 'Lead requests' }],
      mode,
      body: html`${definitions([
        ['Result', resultBadge(result)],
        ['Response', html`${statusBadge(status)}${code !== null && html` <a href="/docs/errors#${code}"><code>${code}</code></a>`}`],
        ['Lead', lead_id !== null && html`<code>${lead_id}</code> <a href="${sameLead(visit, request)}">all its requests</a>`],
        ['Also matched', candidate_ids.length > 1 && candidates(request)],
        ['Key', key ? keyLink(visit, key, key.name) : html`<code>${request.api_key_id}</code>`],
        ['Time', timeOf(created_at, { seconds: true })],
        ['Duration', duration(request.duration_ms)],
        ['IP address', request.address],
        ['User agent', request.user_agent],
        ['Data', modeBadge(mode)],
        ['Request', html`<code>${request.request_id}</code>`],
      ])}<h2>Body</h2>${bodyOf(request)}`,
    };
  },
});

function sameLead(visit: Visit, { lead_id, mode }: LeadWebhookLogDto): string {
  return visit.link(LEAD_REQUESTS, { lead_id, mode: mode === 'test' ? 'test' : null });
}

function candidates({ candidate_ids, lead_id }: LeadWebhookLogDto): Html {
  const others = candidate_ids.filter((id) => id !== lead_id);
  const shown = others.slice(0, MOST_CANDIDATES).map((id) => html`<code>${id}</code><br>`);
  return html`${shown}${others.length > MOST_CANDIDATES && `and ${others.length - MOST_CANDIDATES} more`}`;
}

function bodyOf({ body, body_bytes, body_masked }: LeadWebhookLogWithBodyDto): Html {
  if (body === null) return html`<p class="soft">It was too large to be read${body_bytes !== null && `: ${body_bytes} bytes`}.</p>`;
  return html`${body_masked && html`<p class="soft">Older than 30 days, so personal data is replaced by ***.</p>`}${textBlock(body, {
    id: 'body',
    label: 'Body',
  })}`;
}
