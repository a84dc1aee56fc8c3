import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity } from '../../../../kit/index.js';
import { BookingPage } from '../setup/booking-page.entity.js';

/** A code that was mailed to a visitor to prove that the e-mail address is theirs. */
@Entity('schedule_booking_codes')
@ForeignKey(() => BookingPage, ['organization_id', 'project_id', 'page_id'], ['organization_id', 'project_id', 'id'], {
  name: 'schedule_booking_codes_page_id_fkey',
  onDelete: 'CASCADE',
})
@Index('schedule_booking_codes_email_idx', ['page_id', 'email', 'created_at'])
@Index('schedule_booking_codes_address_idx', ['organization_id', 'address_hash', 'created_at'])
@Index('schedule_booking_codes_created_at_idx', ['created_at'])
@Check('schedule_booking_codes_mode_check', `mode IN ('live', 'test')`)
@Check('schedule_booking_codes_failures_check', 'failures >= 0')
export class BookingCode extends BusinessEntity {
  @Column('uuid')
  page_id: string;

  /** In lower case. */
  @Column('text')
  email: string;

  /** HMAC of page, e-mail address and code. */
  @Column('text')
  code_hash: string;

  @Column('integer', { default: 0 })
  failures: number;

  /** HMAC of the visitor's IP address; null for codes from before these were recorded. */
  @Column('text', { nullable: true })
  address_hash: string | null;
}
