import { Field } from '../../../kit/index.js';
import { RECOVERY_CODES } from './recovery-codes.js';
import type { SecondFactorState } from './second-factors.service.js';

const REPLAYED = 'Null when the response is replayed for a repeated Idempotency-Key.';

/** Whether signing in requires a code of an authenticator app. */
export class SecondFactorDto {
  @Field.constant('second_factor')
  object: string;

  @Field.dateTime({
    description: 'Since when it is required, UTC; null if it is not.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  enabled_at: string | null;

  @Field.integer({
    description: 'Number of unused recovery codes.',
    example: 10,
    minimum: 0,
    maximum: RECOVERY_CODES,
  })
  recovery_codes_left: number;

  @Field.boolean({
    description: 'Whether your organization requires a second factor for your role.',
    example: false,
  })
  required: boolean;

  static from(this: void, { enabledAt, recoveryCodesLeft, required }: SecondFactorState): SecondFactorDto {
    return {
      object: 'second_factor',
      enabled_at: enabledAt?.toISOString() ?? null,
      recovery_codes_left: recoveryCodesLeft,
      required,
    };
  }
}

/** A secret for an authenticator app; it takes effect once a code from the app was sent. */
export class SecondFactorSetupDto {
  @Field.constant('second_factor_setup')
  object: string;

  @Field.string({
    description: `The secret to type in, base32. ${REPLAYED}`,
    example: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    nullable: true,
  })
  secret: string | null;

  @Field.string({
    description: `The address for a QR code. ${REPLAYED}`,
    example: 'otpauth://totp/Acme:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Acme',
    nullable: true,
    maxLength: 2048,
  })
  uri: string | null;
}

export class EnableSecondFactorDto {
  @Field.string({
    description: 'The current code of the authenticator app.',
    example: '287082',
    maxLength: 40,
  })
  code: string;
}

export class RecoveryCodesDto {
  @Field.constant('recovery_codes')
  object: string;

  @Field.string({
    description: `Codes that work once each instead of the app; no other response contains them. ${REPLAYED}`,
    example: ['k7mwp-3xq9e'],
    nullable: true,
    list: { maxItems: RECOVERY_CODES },
  })
  codes: string[] | null;
}
