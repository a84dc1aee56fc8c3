import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity } from '../../../../kit/index.js';
import { IntakeForm } from './intake-form.entity.js';

/** A visitor's answers to a form. */
@Entity('form_submissions')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'form_submissions_project_id_fkey' })
@ForeignKey(() => IntakeForm, ['organization_id', 'form_id'], ['organization_id', 'id'], { name: 'form_submissions_form_id_fkey' })
@Index('form_submissions_form_id_idx', ['form_id', 'created_at', 'id'])
@Index('form_submissions_token_key', ['form_id', 'token'], { unique: true })
@Index('form_submissions_address_idx', ['form_id', 'address', 'created_at'])
@Check('form_submissions_mode_check', `mode IN ('live', 'test')`)
@Check('form_submissions_answers_check', `jsonb_typeof(answers) = 'object'`)
export class FormSubmission extends BusinessEntity {
  @Column('uuid')
  form_id: string;

  @Column('jsonb')
  answers: Record<string, unknown>;

  /** Token from the page; unique, so that a repeated submission is stored once. */
  @Column('uuid')
  token: string;

  /** Under which limits count the visitor, `Visitor.limitKey`. */
  @Column('text')
  address: string;

  @Column('text', { nullable: true })
  user_agent: string | null;
}
