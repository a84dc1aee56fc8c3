import { Field, partialOf, pickOf, ResourceDto, responseOf } from '../../../kit/index.js';
import type { Organization } from '../model/organization.entity.js';

const KEPT_BODIES = ['none', 'test', 'errors'] as const;
const KEPT =
  'Which bodies of API calls the request log keeps for 7 days, encrypted and without names, addresses and secrets: none; test: ' +
  'those of test calls; errors: also those of live calls that fail. Bodies of successful live calls are never kept.';

/** The organization of the signed-in member. */
export class OrganizationDto extends ResourceDto {
  @Field.constant('organization')
  object: string;

  @Field.string({
    description: 'Name.',
    example: 'Acme GmbH',
  })
  name: string;

  @Field.boolean({
    description:
      'Whether members whose role manages keys, members or roles need a second factor. Those without one must set it up before ' +
      'anything else that requires a permission.',
    example: false,
  })
  requires_second_factor: boolean;

  @Field.oneOf(KEPT_BODIES, {
    description: KEPT,
    example: 'errors',
  })
  kept_bodies: (typeof KEPT_BODIES)[number];

  static from(this: void, row: Organization): OrganizationDto {
    return responseOf(OrganizationDto, row);
  }
}

export class UpdateOrganizationDto extends partialOf(pickOf(OrganizationDto, ['name', 'requires_second_factor', 'kept_bodies'])) {}
