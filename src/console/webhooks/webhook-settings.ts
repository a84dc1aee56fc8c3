import { html, type Html } from '../../kit/index.js';
import type { WebhookEndpointDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import { typedConfirmation } from '../components/typed-confirmation.js';
import type { Visit } from '../frame/visit.js';
import { endpointFields } from './endpoint-fields.js';
import { eventTypesOf, projectsOf } from './endpoints.js';

const OVERLAPS = [
  { value: '0', label: 'None: it ends now' },
  { value: '1', label: '1 hour' },
  { value: '6', label: '6 hours' },
  { value: '24', label: '24 hours' },
];

export async function settingsTab(visit: Visit, endpoint: WebhookEndpointDto): Promise<Html> {
  const [types, projects] = await Promise.all([eventTypesOf(visit), projectsOf(visit)]);
  const change = visit.form('change');
  return html`${change.render({
    body: endpointFields(visit, change, { types, projects: projects.data }, endpoint),
    submit: { label: 'Save changes' },
    version: endpoint.version,
    className: 'narrow',
  })}${secretSection(visit)}${switchSection(visit, endpoint)}<section><h2>Delete the endpoint</h2>${typedConfirmation(visit, 'delete', {
    name: nameOf(endpoint),
    explanation: 'Deliveries that wait for another attempt fail. What was delivered stays in the log.',
    submit: 'Delete the endpoint',
  })}</section>`;
}

/** The text to type to confirm the deletion. */
export function nameOf({ url }: WebhookEndpointDto): string {
  return new URL(url).host;
}

function secretSection(visit: Visit): Html {
  const form = visit.form('roll');
  const overlap = form.select({
    name: 'overlap_hours',
    label: 'The present secret signs for another',
    hint: 'Meanwhile deliveries carry two signatures, so that your receiver accepts either.',
    value: '24',
    options: OVERLAPS,
  });
  return html`<section id="secret"><h2>Signing secret</h2>
<p class="soft">It is not stored in readable form. A new one is shown once.</p>
${form.render({ body: overlap, submit: { label: 'Roll the secret', tone: 'quiet' }, className: 'narrow' })}</section>`;
}

function switchSection(visit: Visit, { status }: WebhookEndpointDto): Html {
  const isEnabled = status === 'enabled';
  const text = isEnabled
    ? 'Deliveries that wait for another attempt fail; they can be resent later. What happens while it is disabled is never sent to it.'
    : 'New events are sent to it again. What failed before is resent only if you say so.';
  const form = isEnabled
    ? visit.form('disable').render({ submit: { label: 'Disable', tone: 'quiet' } })
    : visit.form('enable').render({ submit: { label: 'Enable' } });
  return html`<section><h2>${isEnabled ? 'Disable' : 'Enable'} the endpoint</h2><p class="soft">${text}</p>${form}</section>`;
}
