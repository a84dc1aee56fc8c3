import { Field, pickOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';

const OPTIONAL = { nullable: true, required: false } as const;

/** Private data: stored encrypted, and never visible to API keys or webhooks. */
export class UpdatePrivateDataDto {
  @Field.date({
    description: 'Date of birth.',
    example: '1990-05-17',
    ...OPTIONAL,
  })
  birth_on?: string | null;

  @Field.string({
    description: 'Private address.',
    example: 'Hauptstraße 1, 10115 Berlin',
    maxLength: 1000,
    ...OPTIONAL,
  })
  private_address?: string | null;

  @Field.string({
    description: 'Private phone number.',
    example: '+49 30 7654321',
    maxLength: 40,
    ...OPTIONAL,
  })
  private_phone?: string | null;

  @Field.email({
    description: 'Private e-mail address.',
    example: 'grace@home.example',
    ...OPTIONAL,
  })
  private_email?: string | null;

  @Field.string({
    description: 'Name of whom to call in an emergency.',
    example: 'Nils Lindqvist',
    maxLength: 200,
    ...OPTIONAL,
  })
  emergency_contact_name?: string | null;

  @Field.string({
    description: 'Their phone number.',
    example: '+49 30 7654322',
    maxLength: 40,
    ...OPTIONAL,
  })
  emergency_contact_phone?: string | null;
}

export const PRIVATE_FIELDS = [
  'birth_on',
  'private_address',
  'private_phone',
  'private_email',
  'emergency_contact_name',
  'emergency_contact_phone',
] as const;

export type PrivateFields = Record<(typeof PRIVATE_FIELDS)[number], string | null>;

export class PrivateDataDto extends pickOf(UpdatePrivateDataDto, PRIVATE_FIELDS) {
  @Field.constant('employee_private_data')
  object: string;

  @Field.uuid({
    description: 'Employee.',
    example: EXAMPLE.employee,
  })
  employee_id: string;

  @Field.integer({
    description: 'Starts at 1 and increases with each change of the private data; also the ETag.',
    example: 2,
    minimum: 1,
  })
  version: number;
}
