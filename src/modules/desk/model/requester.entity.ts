import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, CustomFields, type CustomFieldValues } from '../../../kit/index.js';

/** Somebody who asked for help, by e-mail address. */
@Entity('desk_requesters')
@Unique('desk_requesters_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@Unique('desk_requesters_email_key', ['project_id', 'mode', 'email'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'desk_requesters_project_id_fkey' })
@Index('desk_requesters_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('desk_requesters_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Check('desk_requesters_custom_fields_check', `jsonb_typeof(custom_fields) = 'object'`)
@Check('desk_requesters_mode_check', `mode IN ('live', 'test')`)
@Check('desk_requesters_email_check', 'length(email) BETWEEN 3 AND 254')
@Check('desk_requesters_name_check', 'length(name) BETWEEN 1 AND 255')
export class Requester extends BusinessEntity {
  /** In lower case. */
  @Column('text')
  email: string;

  @Column('text', { nullable: true })
  name: string | null;

  /** The contact of the CRM with this address; a contact that is created later is found by the next ticket. */
  @Column('uuid', { nullable: true })
  contact_id: string | null;

  @CustomFields('requester')
  custom_fields: CustomFieldValues;
}
