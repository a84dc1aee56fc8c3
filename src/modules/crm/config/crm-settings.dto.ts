import { bothOf, Field, ResourceDto, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../fields/example-ids.js';
import type { CrmSettings } from './crm-settings.entity.js';

/** The merge patch of a project's settings. */
export class UpdateCrmSettingsDto {
  @Field.string({
    description: 'Country of phone numbers without a country code, as ISO 3166-1 alpha-2; null for none.',
    example: 'DE',
    pattern: '^[A-Z]{2}$',
    minLength: 2,
    maxLength: 2,
    required: false,
    nullable: true,
  })
  default_country?: string | null;
}

/** A project's settings. */
export class CrmSettingsDto extends bothOf(ResourceDto, shownOf(UpdateCrmSettingsDto, { default_country: true })) {
  @Field.constant('crm_settings')
  object: string;

  @Field.uuid({
    description: 'Project of the settings.',
    example: EXAMPLE.project,
  })
  project_id: string;

  static from(this: void, { id, project_id, default_country, version, created_at, updated_at }: CrmSettings): CrmSettingsDto {
    return {
      object: 'crm_settings',
      id,
      project_id,
      default_country,
      version,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    };
  }
}
