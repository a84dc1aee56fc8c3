import type { Ctx } from '../../../kit/index.js';
import { customFieldsOf, requireSource, type ProjectConfig } from '../config/crm-config.service.js';
import { mergeCustomFields } from '../custom-fields/custom-fields.js';
import { answeredChannels, NO_CONSENT, withConsent } from './consent.js';
import { addressesOf, normalizeExternalId } from './person-identity.js';
import type { PersonFieldsDto } from './person.dto.js';
import type { Person } from './person.entity.js';

/** The columns that a new lead and a new contact have, without name and owner. For `CrmConfig.decide`. */
export function newPerson(ctx: Ctx, config: ProjectConfig, resource: 'lead' | 'contact', input: PersonFieldsDto) {
  requireSource(config, input.source_id);
  return {
    ...addressesOf(input, config.defaultCountry),
    company_name: input.company_name ?? null,
    job_title: input.job_title ?? null,
    source_id: input.source_id ?? null,
    custom_fields: mergeCustomFields(customFieldsOf(config, resource), input.custom_fields, null),
    external_id: normalizeExternalId(input.external_id),
    consent: withConsent(NO_CONSENT, input, new Date()),
    created_by: ctx.actor,
  };
}

/** The columns of a lead or a contact that the input changes, without the name. For `CrmConfig.decide`. */
export function changedPerson(
  config: ProjectConfig,
  resource: 'lead' | 'contact',
  person: Person,
  input: PersonFieldsDto,
): Partial<Person> {
  requireSource(config, input.source_id);
  const { company_name, job_title, source_id, owner_id, external_id, custom_fields } = input;
  return {
    ...addressesOf(input, config.defaultCountry),
    company_name,
    job_title,
    source_id,
    owner_id,
    external_id: external_id === undefined ? undefined : normalizeExternalId(external_id),
    custom_fields:
      custom_fields === undefined ? undefined : mergeCustomFields(customFieldsOf(config, resource), custom_fields, person.custom_fields),
    consent: answeredChannels(input).length > 0 ? withConsent(person.consent, input, new Date()) : undefined,
  };
}
