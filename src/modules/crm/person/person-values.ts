import { currentTime } from '../../../kit/index.js';
import type { Ctx } from '../../../kit/index.js';
import { requireSource, type ProjectConfig } from '../config/crm-config.service.js';
import { answeredChannels, NO_CONSENT, withConsent } from './consent.js';
import { addressesOf, normalizeExternalId } from './person-identity.js';
import type { PersonFieldsDto } from './person.dto.js';
import type { Person } from './person.entity.js';

/** The columns that a new lead and a new contact have, without name, owner and custom fields. For `CrmConfig.decide`. */
export function newPerson(ctx: Ctx, config: ProjectConfig, input: PersonFieldsDto) {
  requireSource(config, input.source_id);
  return {
    ...addressesOf(input, config.defaultCountry),
    company_name: input.company_name ?? null,
    job_title: input.job_title ?? null,
    source_id: input.source_id ?? null,
    external_id: normalizeExternalId(input.external_id),
    consent: withConsent(NO_CONSENT, input, currentTime()),
    created_by: ctx.actor,
  };
}

/** The columns of a lead or a contact that the input changes, without name and custom fields. For `CrmConfig.decide`. */
export function changedPerson(config: ProjectConfig, person: Person, input: PersonFieldsDto): Partial<Person> {
  requireSource(config, input.source_id);
  const { company_name, job_title, source_id, owner_id, external_id } = input;
  return {
    ...addressesOf(input, config.defaultCountry),
    company_name,
    job_title,
    source_id,
    owner_id,
    external_id: external_id === undefined ? undefined : normalizeExternalId(external_id),
    consent: answeredChannels(input).length > 0 ? withConsent(person.consent, input, currentTime()) : undefined,
  };
}
