import { Column, Entity, ForeignKey, Unique } from 'typeorm';
import { BusinessEntity } from '../../../../kit/index.js';
import { Document } from '../../model/records/document.entity.js';
import { RegulatoryRulePack } from './regulatory-rule-pack.entity.js';

/** The last check of a document against a pack: it is checked again only after the rules or the document's version changed. */
@Entity('regulatory_checks')
@ForeignKey(() => Document, ['organization_id', 'project_id', 'mode', 'document_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'regulatory_checks_document_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => RegulatoryRulePack, ['organization_id', 'pack_id'], ['organization_id', 'id'], { name: 'regulatory_checks_pack_id_fkey' })
@Unique('regulatory_checks_pack_id_key', ['document_id', 'pack_id'])
export class RegulatoryCheck extends BusinessEntity {
  @Column('uuid')
  document_id: string;

  @Column('uuid')
  pack_id: string;

  /** SHA-256 of the rules that were in force. */
  @Column('text')
  rules_hash: string;

  @Column('integer')
  document_version: number;
}
