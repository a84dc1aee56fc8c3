import { Check, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { CustomFields, CustomFieldTarget, type CustomFieldValues } from '../../../kit/index.js';
import { LeadSource } from '../config/lead-source.entity.js';
import { Person } from '../person/person.entity.js';

/** A person the organization does business with. */
@CustomFieldTarget('contact')
@Entity('contacts')
@Unique('contacts_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@ForeignKey(() => LeadSource, ['organization_id', 'project_id', 'source_id'], ['organization_id', 'project_id', 'id'], {
  name: 'contacts_source_id_fkey',
})
@ForeignKey('members', ['organization_id', 'owner_id'], ['organization_id', 'id'], { name: 'contacts_owner_id_fkey' })
@Index('contacts_created_at_idx', ['organization_id', 'mode', 'created_at', 'id'])
@Index('contacts_project_created_at_idx', ['organization_id', 'mode', 'project_id', 'created_at', 'id'])
@Index('contacts_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('contacts_full_name_idx', ['organization_id', 'mode', 'full_name', 'id', 'project_id'])
@Index('contacts_owner_id_idx', ['owner_id', 'mode', 'created_at', 'id'], { where: 'owner_id IS NOT NULL' })
@Index('contacts_email_normalized_idx', ['organization_id', 'mode', 'email_normalized', 'id'], { where: 'email_normalized IS NOT NULL' })
@Index('contacts_phone_normalized_idx', ['organization_id', 'mode', 'phone_normalized', 'id'], { where: 'phone_normalized IS NOT NULL' })
@Index('contacts_external_id_idx', ['organization_id', 'mode', 'external_id', 'id'], { where: 'external_id IS NOT NULL' })
@Index('contacts_search_idx', { synchronize: false })
@Check('contacts_mode_check', `mode IN ('live', 'test')`)
@Check('contacts_full_name_check', 'length(full_name) BETWEEN 1 AND 255')
@Check('contacts_custom_fields_check', `jsonb_typeof(custom_fields) = 'object'`)
@Check('contacts_consent_check', `jsonb_typeof(consent) = 'object'`)
export class Contact extends Person {
  @CustomFields('contact')
  custom_fields: CustomFieldValues;
}
