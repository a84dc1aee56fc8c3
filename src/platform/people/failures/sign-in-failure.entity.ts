import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../../kit/index.js';

/** The failed sign-ins of an IP address, an account or both together in the current window. */
@Entity('sign_in_failures')
@Index('sign_in_failures_window_ends_at_idx', ['window_ends_at'])
export class SignInFailure {
  /** A hash, because users sometimes enter their password in the e-mail field. */
  @PrimaryColumn('bytea')
  subject: Buffer;

  @Column('integer')
  failures: number;

  @TimeColumn()
  window_ends_at: Date;
}
