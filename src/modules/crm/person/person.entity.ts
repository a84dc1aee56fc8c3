import { Column } from 'typeorm';
import { BusinessEntity, type Actor, type CustomFieldValues } from '../../../kit/index.js';
import type { Consent } from './consent.js';

/** The common columns of leads and contacts; each has a table of its own. */
export abstract class Person extends BusinessEntity {
  @Column('text')
  full_name: string;

  @Column('text', { nullable: true })
  first_name: string | null;

  @Column('text', { nullable: true })
  last_name: string | null;

  /** As given. */
  @Column('text', { nullable: true })
  email: string | null;

  @Column('text', { nullable: true })
  email_normalized: string | null;

  /** As given. */
  @Column('text', { nullable: true })
  phone: string | null;

  /** E.164, or the digits of an invalid number. */
  @Column('text', { nullable: true })
  phone_normalized: string | null;

  @Column('text', { nullable: true })
  company_name: string | null;

  @Column('text', { nullable: true })
  job_title: string | null;

  @Column('uuid', { nullable: true })
  source_id: string | null;

  @Column('uuid', { nullable: true })
  owner_id: string | null;

  abstract custom_fields: CustomFieldValues;

  /** The sender's own id for the record; not unique. */
  @Column('text', { nullable: true })
  external_id: string | null;

  @Column('jsonb')
  consent: Consent;

  @Column('jsonb')
  created_by: Actor;

  /** Words of name, addresses, company and title; written by a trigger. */
  @Column({
    type: 'tsvector',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  search: string | null;
}
