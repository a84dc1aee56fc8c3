import { Field, ResourceDto } from '../../../kit/index.js';
import type { Organization } from '../model/organization.entity.js';

/** The organization of the signed-in member. */
export class OrganizationDto extends ResourceDto {
  @Field.constant('organization')
  object: string;

  @Field.string({ description: 'Name.', example: 'Acme GmbH' })
  name: string;

  @Field.boolean({
    description: 'Whether members whose role manages keys, members or roles need a second factor.',
    example: false,
  })
  requires_second_factor: boolean;

  static from(this: void, row: Organization): OrganizationDto {
    const { id, version, name, requires_second_factor } = row;
    return {
      id,
      object: 'organization',
      version,
      name,
      requires_second_factor,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    };
  }
}

export class UpdateOrganizationDto {
  @Field.string({ description: 'Name.', example: 'Acme GmbH', required: false })
  name?: string;

  @Field.boolean({
    description:
      'Whether members whose role manages keys, members or roles need a second factor. Those without one must set it up before ' +
      'anything else that requires a permission.',
    example: true,
    required: false,
  })
  requires_second_factor?: boolean;
}
