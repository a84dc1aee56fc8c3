import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { OrganizationEntity } from '../../../../kit/index.js';
import type { RegulatoryRule } from './rule-checks.js';

/** A set of versioned rules that the organization's documents are checked against. */
@Entity('regulatory_rule_packs')
@ForeignKey('organizations', ['organization_id'], ['id'], { name: 'regulatory_rule_packs_organization_id_fkey' })
@Unique('regulatory_rule_packs_name_key', ['organization_id', 'name'])
@Unique('regulatory_rule_packs_reference_key', ['organization_id', 'id'])
@Index('regulatory_rule_packs_created_at_idx', ['organization_id', 'created_at', 'id'])
@Check('regulatory_rule_packs_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('regulatory_rule_packs_rules_check', `jsonb_typeof(rules) = 'array'`)
export class RegulatoryRulePack extends OrganizationEntity {
  @Column('text')
  name: string;

  @Column('text')
  jurisdiction: string;

  @Column('boolean', { default: true })
  active: boolean;

  @Column('jsonb')
  rules: RegulatoryRule[];
}
