import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How often sign-in failed for an address, an e-mail address or both together in the current window. */
@Entity('sign_in_failures')
@Index('sign_in_failures_window_ends_at_idx', ['window_ends_at'])
export class SignInFailure {
  /** A hash, because people type passwords into the e-mail field. */
  @PrimaryColumn('bytea')
  subject: Buffer;

  @Column('integer')
  failures: number;

  @Column({ type: 'timestamptz', precision: 3 })
  window_ends_at: Date;
}
