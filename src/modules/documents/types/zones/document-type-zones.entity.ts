import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import { OrganizationEntity, type Mode } from '../../../../kit/index.js';
import { DocumentType } from '../../model/types/document-type.entity.js';
import type { ZoneDto } from './zones.dto.js';

/**
 * The zones of a type, in one row, so that they are replaced together. Both modes share the configuration of types; the row
 * of the mode `test` is an overlay that test keys see once a test key has replaced the zones.
 */
@Entity('document_type_zones')
@ForeignKey(() => DocumentType, ['organization_id', 'type_id'], ['organization_id', 'id'], { name: 'document_type_zones_type_id_fkey' })
@Unique('document_type_zones_type_key', ['organization_id', 'type_id', 'mode'])
@Check('document_type_zones_mode_check', `mode IN ('live', 'test')`)
@Check('document_type_zones_zones_check', `jsonb_typeof(zones) = 'array'`)
export class DocumentTypeZones extends OrganizationEntity {
  @Column('uuid')
  type_id: string;

  @Column('text')
  mode: Mode;

  @Column('jsonb')
  zones: ZoneDto[];
}
