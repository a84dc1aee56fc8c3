import { Field, partialOf } from '../../../kit/index.js';

export class CreateOrgProjectDto {
  @Field.string({
    description: 'Short name: 2 to 10 capital letters and digits, a letter first; it cannot be changed later.',
    example: 'ENG',
    pattern: '^[A-Z][A-Z0-9]{1,9}$',
    patternInWords: '2 to 10 capital letters and digits, a letter first',
    maxLength: 10,
  })
  key: string;

  @Field.string({
    description: 'Name.',
    example: 'Engineering',
  })
  name: string;

  @Field.string({
    description: 'What the project is about.',
    example: 'The product and its releases',
    nullable: true,
    required: false,
    minLength: 0,
    maxLength: 2000,
  })
  description?: string | null;

  @Field.string({
    description: 'IANA name of the time zone of the project.',
    example: 'Europe/Berlin',
    required: false,
    default: 'UTC',
    maxLength: 64,
  })
  timezone?: string;
}

export class UpdateOrgProjectDto extends partialOf(CreateOrgProjectDto, { omit: ['key'] }) {
  @Field.oneOf(['active', 'archived'], {
    description: 'archived prevents new records in the project, active allows them again.',
    example: 'archived',
    required: false,
  })
  status?: 'active' | 'archived';

  @Field.boolean({
    description:
      'true makes it the default project instead of the current one; calls that name no project create their records in it. The first ' +
      'project of an organization is the default one.',
    example: true,
    required: false,
  })
  is_default?: boolean;
}
