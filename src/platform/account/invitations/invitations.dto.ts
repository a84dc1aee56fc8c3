import { bothOf, Field, Listing, ListQuery, pickOf, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { CreateOrgMemberDto } from '../../people/model/member.dto.js';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../people/model/passwords.js';
import type { Invitation } from './invitation.entity.js';

const MEMBER = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a65';
const TOKEN = 'n2Zt8cZ3fY0m1rjQ8m7cV0yHkKk1d0J5b8o3cN2wXyA';

/** An invitation with the name of its role. */
export type InvitationWithRole = Invitation & { role: string };

export class CreateInvitationDto extends pickOf(CreateOrgMemberDto, ['email', 'name', 'role', 'manager_id']) {}

/** An invitation to become a member. It disappears once it is accepted. */
export class InvitationDto extends bothOf(
  ResourceDto,
  shownOf(CreateInvitationDto, {
    email: 'E-mail address of the invited person, lower-case.',
    name: 'Full name, which they can correct.',
    role: 'Name of the role they will have.',
    manager_id: 'The member they will report to.',
  }),
) {
  @Field.constant('invitation')
  object: string;

  @Field.uuid({
    description: 'The member who invited them; null for an operator.',
    example: MEMBER,
    nullable: true,
  })
  invited_by: string | null;

  @Field.oneOf(['pending', 'expired'], {
    description: 'An expired one can be sent again.',
    example: 'pending',
  })
  status: string;

  @Field.dateTime({
    description: 'When the link expires, UTC: seven days after it was sent.',
    example: '2026-11-28T09:30:00.000Z',
  })
  expires_at: string;

  static from(this: void, row: InvitationWithRole): InvitationDto {
    return { ...responseOf(InvitationDto, row), status: row.expires_at.getTime() <= Date.now() ? 'expired' : 'pending' };
  }
}

export class SentInvitationDto extends InvitationDto {
  @Field.string({
    description:
      'The link to hand over, if no mail server is configured; no other response contains it. Null if it was mailed, and when the ' +
      'response is replayed for a repeated Idempotency-Key.',
    example: null,
    nullable: true,
    maxLength: 2048,
  })
  link: string | null;
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class InvitationsQuery extends ListQuery {}

export class AcceptInvitationDto {
  @Field.string({
    description: 'The token of the link.',
    example: TOKEN,
    maxLength: 100,
  })
  token: string;

  @Field.string({
    description: 'Full name; that of the invitation unless given.',
    example: 'Grace B. Hopper',
    required: false,
  })
  name?: string;

  @Field.string({
    description: 'The password to sign in with.',
    example: 'correct horse battery',
    minLength: PASSWORD_MIN_LENGTH,
    maxLength: PASSWORD_MAX_LENGTH,
  })
  password: string;
}

export class OpenInvitationDto extends pickOf(AcceptInvitationDto, ['token']) {}

/** What the invited person sees before they accept. */
export class OpenedInvitationDto extends shownOf(InvitationDto, {
  email: 'The address they will sign in with.',
  name: 'Their name as the invitation has it.',
  role: true,
  expires_at: true,
}) {
  @Field.constant('opened_invitation')
  object: string;

  @Field.string({
    description: 'Name of the organization.',
    example: 'Acme GmbH',
  })
  organization: string;

  @Field.string({
    description: 'Name of the member who invited; null for an operator.',
    example: 'Ada Lovelace',
    nullable: true,
  })
  inviter: string | null;
}
