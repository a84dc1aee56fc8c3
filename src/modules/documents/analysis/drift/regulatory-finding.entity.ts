import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity } from '../../../../kit/index.js';
import { Document } from '../../model/records/document.entity.js';
import type { Severity } from '../provider/provider.js';
import { RegulatoryRulePack } from './regulatory-rule-pack.entity.js';

/** A document violates a version of a rule. */
@Entity('regulatory_findings')
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'document_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'regulatory_findings_document_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => RegulatoryRulePack, ['organization_id', 'pack_id'], ['organization_id', 'id'], {
  name: 'regulatory_findings_pack_id_fkey',
})
@Unique('regulatory_findings_rule_key', ['document_id', 'pack_id', 'rule_id', 'rule_version'])
@Index('regulatory_findings_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Check('regulatory_findings_mode_check', `mode IN ('live', 'test')`)
@Check('regulatory_findings_severity_check', `severity IN ('low', 'medium', 'high', 'critical')`)
export class RegulatoryFinding extends BusinessEntity {
  @Column('uuid')
  document_id: string;

  @Column('uuid')
  pack_id: string;

  @Column('text')
  rule_id: string;

  @Column('integer')
  rule_version: number;

  @Column('text')
  jurisdiction: string;

  @Column('text')
  severity: Severity;

  @Column('text')
  message: string;
}
