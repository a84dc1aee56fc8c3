import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { ConfigurationEntity } from '../../../../kit/index.js';
import { DocumentType } from '../../model/types/document-type.entity.js';
import type { Operator } from '../../model/types/approval-route.dto.js';
import type { StandardSendingDto } from '../../model/types/sending.dto.js';
import type { SourceMap } from '../mapping/source-map.js';

/** A condition on one value of the event. */
export interface TriggerCondition {
  /** A path into the event, as in the source map. */
  path: string;
  op: Operator;
  operand: { value?: unknown };
}

/** Binds an event type to a document type: each event creates one document. */
@Entity('generation_triggers')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'generation_triggers_project_id_fkey' })
@ForeignKey(() => DocumentType, ['organization_id', 'document_type_id'], ['organization_id', 'id'], {
  name: 'generation_triggers_document_type_id_fkey',
})
@Index('generation_triggers_event_type_idx', ['organization_id', 'event_type'], { where: 'active' })
@Index('generation_triggers_created_at_idx', ['organization_id', 'created_at', 'id'])
@Check('generation_triggers_name_check', 'length(name) BETWEEN 1 AND 100')
export class GenerationTrigger extends ConfigurationEntity {
  @Column('text')
  name: string;

  @Column('text')
  event_type: string;

  @Column('uuid')
  document_type_id: string;

  @Column('text')
  title_template: string;

  @Column('jsonb')
  source_map: SourceMap;

  /** All must hold, or the event creates no document. */
  @Column('jsonb', { default: [] })
  conditions: TriggerCondition[];

  /** How its documents are sent, where it differs from their type. */
  @Column('jsonb', { nullable: true })
  sending: StandardSendingDto | null;

  @Column('boolean', { default: false })
  auto_submit: boolean;

  @Column('boolean', { default: false })
  auto_finalize: boolean;

  @Column('boolean', { default: true })
  active: boolean;
}
