import { html, isCalendarDay, type Html } from '../../kit/index.js';
import type { ApiKeyDto } from '../../platform/keys/api-keys.dto.js';
import type { Form } from '../frame/form.js';
import type { Values } from '../frame/values.js';
import type { Visit } from '../frame/visit.js';

/** The fields that a key's creation and its change share: addresses, limit, end. */
export function restrictionFields(
  visit: Visit,
  form: Form,
  stored: Pick<ApiKeyDto, 'allowed_ips' | 'rate_limit_per_minute' | 'expires_at'>,
): Html {
  const mine = visit.request.state.address;
  const ips = form.area({
    name: 'allowed_ips',
    label: 'Addresses',
    isOptional: true,
    hint: `IPv4 or IPv6, single or as a range such as 203.0.113.0/24, one per line. Empty allows all. Yours is ${mine}.`,
    value: stored.allowed_ips.join('\n'),
  });
  return html`${ips}
<p data-script hidden><button type="button" class="quiet" data-insert="${form.idOf('allowed_ips')}" value="${mine}">Add mine</button></p>
${form.text({
  name: 'rate_limit_per_minute',
  label: 'Requests per minute',
  type: 'number',
  isOptional: true,
  hint: 'Empty for the limit that all keys have.',
  value: stored.rate_limit_per_minute,
  attributes: html` min="1"`,
})}
${form.text({
  name: 'expires_at',
  label: 'Last day',
  type: 'date',
  isOptional: true,
  hint: 'UTC. You and those who manage keys get a mail 14 and 2 days before. Empty for a key without an end.',
  value: dayOf(stored.expires_at),
})}`;
}

/** Whether the key asks before it sends or deletes. */
export function askingField(form: Form, checked: boolean): Html {
  return form.tick({
    name: 'requires_plan',
    label: 'Ask before sending or deleting',
    hint: 'Such a call must repeat a dry run, whose plan people can read. Made for keys of agents.',
    checked,
  });
}

/** The values of `restrictionFields`. */
export function restrictionsOf(values: Values) {
  return {
    allowed_ips: values.lines('allowed_ips'),
    rate_limit_per_minute: values.number('rate_limit_per_minute'),
    expires_at: endOf(values.optional('expires_at')),
  };
}

export function dayOf(expiresAt: string | null): string {
  return expiresAt?.slice(0, 10) ?? '';
}

/** The end of a day. Other text stays as it is, so that the operation rejects it. */
function endOf(day: string | null): string | null {
  return isCalendarDay(day) ? `${day}T23:59:59Z` : day;
}
