import { Field, Listing, ListQuery, responseOf } from '../../../kit/index.js';
import type { Session } from './session.entity.js';

/** One session of the signed-in member: a browser or a script that is signed in. */
export class MemberSessionDto {
  @Field.constant('member_session')
  object: string;

  @Field.uuid({
    description: 'Id of the session; it is not the cookie.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  id: string;

  @Field.boolean({
    description: 'Whether it is the session of this request.',
    example: true,
  })
  current: boolean;

  @Field.string({
    description: 'User-Agent header of the sign-in, truncated; null if there was none.',
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    nullable: true,
    minLength: 0,
  })
  user_agent: string | null;

  @Field.string({
    description: 'IP address of the sign-in.',
    example: '203.0.113.7',
    nullable: true,
  })
  address: string | null;

  @Field.dateTime({
    description: 'When the member signed in, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  })
  created_at: string;

  @Field.dateTime({
    description: 'When it was last used, UTC, to within five minutes.',
    example: '2026-11-21T10:30:00.000Z',
  })
  last_used_at: string;

  @Field.dateTime({
    description: 'When it expires unless it is used before, UTC.',
    example: '2026-11-22T10:30:00.000Z',
  })
  expires_at: string;

  static from(this: void, session: Session, currentId: string | null): MemberSessionDto {
    return { ...responseOf(MemberSessionDto, session), current: session.id === currentId, last_used_at: session.updated_at.toISOString() };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class MemberSessionsQuery extends ListQuery {}

export class EndedSessionsDto {
  @Field.constant('ended_sessions')
  object: string;

  @Field.integer({
    description: 'Number of sessions that were ended.',
    example: 2,
    minimum: 0,
  })
  count: number;
}
