import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../../kit/index.js';

/** An address for which somebody asked for a new password, known or not. A worker deletes it once the links are mailed. */
@Entity('password_reset_requests')
@Index('password_reset_requests_due_at_idx', ['due_at'])
@Index('password_reset_requests_created_at_idx', ['created_at'])
export class PasswordResetRequest {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  email: string;

  @CreateDateColumn({
    type: 'timestamptz',
    precision: 3,
    default: () => 'now()',
  })
  created_at: Date;

  @TimeColumn({ default: () => 'now()' })
  due_at: Date;
}
