import { bothOf, Field, Filter, Listing, ListQuery, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/core/example-ids.js';
import {
  INVITATION_STATUSES,
  INVITEE_ROLES,
  RESPONSES,
  type Invitee,
  type InvitationStatus,
  type InviteeResponse,
  type InviteeRole,
} from '../model/records/invitee.entity.js';

/** The latest invitation mail. */
export class InviteeInvitationDto {
  @Field.oneOf(INVITATION_STATUSES, {
    description: 'sent: the mail server accepted it. suppressed: none is sent, because the event is cancelled or in test mode.',
    example: 'sent',
  })
  status: InvitationStatus;

  @Field.dateTime({
    description: 'When the mail server accepted the mail.',
    example: '2026-11-21T09:30:05.000Z',
    nullable: true,
  })
  sent_at: string | null;

  @Field.string({
    description: 'Why it could not be sent.',
    example: null,
    nullable: true,
    maxLength: 2000,
  })
  error: string | null;
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class InviteesQuery extends ListQuery {
  @Filter.oneOf(RESPONSES, {
    description: 'Only invitees with these answers.',
    example: ['accepted'],
  })
  response?: InviteeResponse[];

  @Filter.custom({
    kind: 'email',
    maxLength: 254,
    description: 'Only the invitee with this address, in any case.',
    example: 'ada@example.com',
  })
  email?: string;
}

export class NewInviteeDto {
  @Field.email({
    summary: true,
    description: 'E-mail address; each is invited once.',
    example: 'ada@example.com',
  })
  email: string;

  @Field.string({
    summary: true,
    description: 'Name of the person.',
    example: 'Ada Lovelace',
    required: false,
    nullable: true,
  })
  name?: string | null;

  @Field.oneOf(INVITEE_ROLES, {
    summary: true,
    description: 'Whether they are needed.',
    example: 'required',
    default: 'required',
    required: false,
  })
  role?: InviteeRole;
}

/** A person who is invited to an event. */
export class InviteeDto extends bothOf(ResourceDto, shownOf(NewInviteeDto, { email: 'E-mail address.', name: true, role: true })) {
  @Field.constant('invitee')
  object: string;

  @Field.uuid({
    description: 'Event or series.',
    example: EXAMPLE.event,
  })
  event_id: string;

  @Field.oneOf(RESPONSES, {
    summary: true,
    description: 'Their answer by the link in the invitation.',
    example: 'accepted',
  })
  response: InviteeResponse;

  @Field.dateTime({
    description: 'When they answered.',
    example: '2026-11-21T10:00:00.000Z',
    nullable: true,
  })
  responded_at: string | null;

  @Field.object(() => InviteeInvitationDto, {
    description: 'The latest invitation mail.',
    example: undefined,
  })
  invitation: InviteeInvitationDto;

  static from(this: void, invitee: Invitee): InviteeDto {
    return {
      ...responseOf(InviteeDto, invitee),
      invitation: {
        status: invitee.invitation_status,
        sent_at: invitee.invitation_sent_at?.toISOString() ?? null,
        error: invitee.invitation_error,
      },
    };
  }
}

export class AddInviteesDto {
  @Field.object(() => NewInviteeDto, {
    description: 'The people to invite; an event has at most 200 invitees.',
    example: undefined,
    list: { minItems: 1, maxItems: 50, repeats: true },
  })
  invitees: NewInviteeDto[];
}

/** An invitee of the request. */
export class AddedInviteeDto extends InviteeDto {
  @Field.boolean({
    description: 'true: was invited before, so nothing changed and no mail was sent.',
    example: false,
  })
  already_invited: boolean;
}
