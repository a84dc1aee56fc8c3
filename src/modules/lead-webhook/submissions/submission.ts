import { CommonErrors, fieldsOf, invalid, isEmailAddress } from '../../../kit/index.js';
import { requireAddress, UpdateLeadDto, type Lead, type LeadInput } from '../../crm/crm.public.js';
import type { LeadSubmissionBody } from './lead-submission.dto.js';

/** The fields of a submission that have a value: null and blank text are dropped, as are custom fields that are null. */
export function leadInputOf(body: LeadSubmissionBody): LeadInput {
  const { project_id: _project, update_if_exists: _update, ...fields } = body;
  const given = withoutBlanks(fields);
  if (given.custom_fields !== undefined)
    given.custom_fields = Object.fromEntries(Object.entries(given.custom_fields as object).filter(([, value]) => value !== null));
  return given as LeadInput;
}

function withoutBlanks(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== null && value !== undefined && !(typeof value === 'string' && value.trim() === ''),
    ),
  );
}

/** Requires a name and an address in every submission, also for an existing lead. */
export function requireIdentity({ full_name, first_name, last_name, email, phone }: LeadInput): void {
  if (!full_name && !(first_name && last_name))
    throw CommonErrors.missingFields({ param: 'full_name', message: 'full_name is required, or first_name and last_name' });
  requireAddress({ email, phone });
  if (email && !isEmailAddress(email.trim())) throw invalid('email', 'must be an e-mail address');
}

const COLUMNS = [...fieldsOf(UpdateLeadDto).keys()].filter((name) => !name.startsWith('consent_')) as (keyof Lead)[];

/** The fields of a submission that differ between the lead before and after. */
export function changedFields(before: Lead, after: Lead): string[] {
  const columns = COLUMNS.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const channels = (['email', 'sms', 'whatsapp'] as const).filter(
    (channel) =>
      before.consent[channel].granted !== after.consent[channel].granted ||
      before.consent[channel].source !== after.consent[channel].source,
  );
  return [...columns, ...channels.map((channel) => `consent_${channel}`)];
}
