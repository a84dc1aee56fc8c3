import { Field, pickOf } from '../../../kit/index.js';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../people/model/passwords.js';

const newPassword = Field.string({
  description: 'The new password.',
  example: 'correct horse battery',
  minLength: PASSWORD_MIN_LENGTH,
  maxLength: PASSWORD_MAX_LENGTH,
});

export class ChangePasswordDto {
  @Field.string({
    description: 'Your current password.',
    example: 'the former password',
    maxLength: PASSWORD_MAX_LENGTH,
  })
  current_password: string;

  @newPassword
  new_password: string;
}

export class RequestPasswordResetDto {
  @Field.email({
    description: 'E-mail address of the account.',
    example: 'grace@example.com',
  })
  email: string;
}

/** The same for known and unknown addresses. */
export class PasswordResetRequestDto {
  @Field.constant('password_reset_request')
  object: string;

  @Field.boolean({
    description:
      'Whether a mail server is configured. If not, no link is made: ask someone who manages members for a new password, or an ' +
      'operator to run npm run org -- reset-password.',
    example: true,
  })
  sends_mail: boolean;
}

export class CompletePasswordResetDto {
  @Field.string({
    description: 'The token of the mailed link.',
    example: 'n2Zt8cZ3fY0m1rjQ8m7cV0yHkKk1d0J5b8o3cN2wXyA',
    maxLength: 100,
  })
  token: string;

  @newPassword
  password: string;
}

export class OpenPasswordResetDto extends pickOf(CompletePasswordResetDto, ['token']) {}

/** Whose password a link sets. */
export class OpenedPasswordResetDto {
  @Field.constant('opened_password_reset')
  object: string;

  @Field.string({
    description: 'Name of the organization.',
    example: 'Acme GmbH',
  })
  organization: string;

  @Field.email({
    description: 'E-mail address of the account.',
    example: 'grace@example.com',
  })
  email: string;
}
