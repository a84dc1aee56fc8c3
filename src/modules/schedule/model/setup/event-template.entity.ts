import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { ConfigurationEntity } from '../../../../kit/index.js';

export const FIELD_RULES = ['required', 'optional', 'hidden'] as const;
export type FieldRule = (typeof FIELD_RULES)[number];

/** Which fields the events of a calendar have. */
@Entity('schedule_event_templates')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], {
  name: 'schedule_event_templates_project_id_fkey',
})
@Unique('schedule_event_templates_reference_key', ['organization_id', 'project_id', 'id'])
@Index('schedule_event_templates_name_key', { synchronize: false })
@Index('schedule_event_templates_default_key', ['project_id'], {
  unique: true,
  where: 'is_default',
})
@Index('schedule_event_templates_name_idx', ['organization_id', 'name', 'id', 'project_id'])
@Index('schedule_event_templates_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Check('schedule_event_templates_project_id_check', 'project_id IS NOT NULL')
@Check('schedule_event_templates_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('schedule_event_templates_core_check', `jsonb_typeof(core) = 'object'`)
@Check('schedule_event_templates_metadata_schema_check', `jsonb_typeof(metadata_schema::jsonb) = 'object'`)
@Check('schedule_event_templates_default_duration_minutes_check', 'default_duration_minutes BETWEEN 1 AND 44640')
@Check('schedule_event_templates_reminder_minutes_check', 'cardinality(reminder_minutes) <= 5')
export class EventTemplate extends ConfigurationEntity {
  declare project_id: string;

  @Column('text')
  name: string;

  /** The template of calendars that are created without one. */
  @Column('boolean', { default: false })
  is_default: boolean;

  @Column('jsonb')
  core: Record<'title' | 'location' | 'description', FieldRule>;

  /** JSON Schema of an object. `json`, which keeps the order of the properties. */
  @Column('json')
  metadata_schema: Record<string, unknown>;

  @Column('integer', { default: 60 })
  default_duration_minutes: number;

  /** Minutes before the start at which people are reminded by mail. */
  @Column('integer', {
    array: true,
    default: '{}',
  })
  reminder_minutes: number[];
}
