import { Field } from '../../../kit/index.js';
import { OrgMemberDto } from '../model/member.dto.js';
import { PASSWORD_MAX_LENGTH } from '../model/passwords.js';
import { confirmedUntil } from './confirmation.js';
import type { SignedIn } from './session-reader.js';

const CODE = 'The current code of the authenticator app, or an unused recovery code.';

/** The body of a sign-in. */
export class SignInDto {
  @Field.email({
    description: 'E-mail address; stored in lower case, unique over all organizations.',
    example: 'grace@example.com',
  })
  email: string;

  @Field.string({
    description: 'Password.',
    example: 'correct horse battery',
    maxLength: PASSWORD_MAX_LENGTH,
  })
  password: string;

  @Field.string({
    description: `${CODE} Can also be sent in a second step.`,
    example: '287082',
    maxLength: 40,
    required: false,
  })
  code?: string;
}

/** The second step of a sign-in. */
export class SecondFactorSignInDto {
  @Field.string({
    description: 'second_factor_token of the error second_factor_code_required; valid for five minutes.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60.1763717400000.n2Zt8cZ3fY0m1rjQ8m7cV0yHkKk1d0J5b8o3cN2wXyA',
    maxLength: 200,
  })
  second_factor_token: string;

  @Field.string({
    description: CODE,
    example: '287082',
    maxLength: 40,
  })
  code: string;
}

/** A signed-in member and the data for their requests. The session itself is the cookie `svc_session`. */
export class SessionDto {
  @Field.constant('session')
  object: string;

  @Field.uuid({
    description: 'The organization the member belongs to.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  organization_id: string;

  @Field.object(() => OrgMemberDto, {
    description: 'Who is signed in.',
    example: undefined,
  })
  member: OrgMemberDto;

  @Field.string({
    description: 'The permissions of the role.',
    example: ['org.developer.logs.view'],
    list: { maxItems: 100 },
  })
  permissions: string[];

  @Field.string({
    description: 'Send it as the header X-CSRF-Token with every write.',
    example: 'n2Zt8cZ3fY0m1rjQ8m7cV0yHkKk1d0J5b8o3cN2wXyA',
  })
  csrf_token: string;

  @Field.dateTime({
    description: 'When the session expires unless it is used before, UTC; at most 7 days after the sign-in.',
    example: '2026-11-22T09:30:00.000Z',
  })
  expires_at: string;

  @Field.dateTime({
    description: 'Until when operations that grant or revoke access run without POST /api/v1/org/session/confirm, UTC; it may have passed.',
    example: '2026-11-21T11:30:00.000Z',
  })
  confirmed_until: string;

  @Field.boolean({
    description:
      'Whether your organization requires a second factor for your role and you have none: until you set one up, operations that ' +
      'require a permission fail with second_factor_required.',
    example: false,
  })
  lacks_second_factor: boolean;

  static from(this: void, signedIn: SignedIn): SessionDto {
    return {
      object: 'session',
      organization_id: signedIn.organizationId,
      member: OrgMemberDto.from(signedIn.member),
      permissions: [...signedIn.permissions],
      csrf_token: signedIn.csrfToken,
      expires_at: signedIn.expiresAt.toISOString(),
      confirmed_until: confirmedUntil(signedIn.confirmedAt).toISOString(),
      lacks_second_factor: signedIn.lacksSecondFactor,
    };
  }
}

/** The body of a confirmation. */
export class ConfirmSessionDto {
  @Field.string({
    description: 'Your current password.',
    example: 'correct horse battery',
    maxLength: PASSWORD_MAX_LENGTH,
  })
  password: string;

  @Field.string({
    description: `${CODE} Required if you have a second factor.`,
    example: '287082',
    maxLength: 40,
    required: false,
  })
  code?: string;
}

/** A confirmation: the member of a session gave their password again. */
export class SessionConfirmationDto {
  @Field.constant('session_confirmation')
  object: string;

  @Field.dateTime({
    description: 'Until when it counts, UTC.',
    example: '2026-11-21T11:30:00.000Z',
  })
  confirmed_until: string;
}
