import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { ObjectColumn, OrganizationEntity } from '../../../kit/index.js';

export const LOGO_TYPES = ['image/png', 'image/jpeg'] as const;

/** How an organization's documents look and behave towards outsiders. A database trigger adds the row with the organization. */
@Entity('document_settings')
@Unique('document_settings_organization_id_key', ['organization_id'])
@ForeignKey('organizations', ['organization_id'], ['id'], {
  name: 'document_settings_organization_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey('objects', ['organization_id', 'logo_object_id'], ['organization_id', 'id'], { name: 'document_settings_logo_object_id_fkey' })
@Index('document_settings_logo_object_id_idx', ['logo_object_id'], { where: 'logo_object_id IS NOT NULL' })
@Check('document_settings_color_check', `color ~ '^#[0-9a-f]{6}$'`)
@Check('document_settings_logo_check', 'length(logo) <= 262144')
@Check('document_settings_logo_type_check', `logo_type IN ('image/png', 'image/jpeg')`)
@Check(
  'document_settings_logo_whole_check',
  `(logo IS NULL AND logo_object_id IS NULL) = (logo_type IS NULL) AND (logo IS NULL AND logo_object_id IS NULL) = (logo_sha256 IS NULL)`,
)
@Check('document_settings_reminder_days_check', 'reminder_days BETWEEN 1 AND 90')
@Check('document_settings_reminder_count_check', 'reminder_count BETWEEN 1 AND 10')
export class DocumentSettings extends OrganizationEntity {
  /** `#rrggbb`, lower case. Null: a hue by the name of the organization. */
  @Column('text', { nullable: true })
  color: string | null;

  @ObjectColumn()
  logo_object_id: string | null;

  /** Of rows from before objects were introduced. */
  @Column('bytea', { nullable: true })
  logo: Buffer | null;

  @Column('text', { nullable: true })
  logo_type: (typeof LOGO_TYPES)[number] | null;

  /** Hexadecimal; part of the logo's address, so that browsers can keep it. */
  @Column('text', { nullable: true })
  logo_sha256: string | null;

  /** Origins whose pages may show a signing page in a frame. */
  @Column('text', {
    array: true,
    default: '{}',
  })
  embed_origins: string[];

  /** Days between two automatic reminders of a party; null for none. */
  @Column('integer', {
    nullable: true,
    default: 3,
  })
  reminder_days: number | null;

  /** How many automatic reminders a party gets at most. */
  @Column('integer', { default: 3 })
  reminder_count: number;
}
