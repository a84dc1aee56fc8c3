import { ActorDto, ActorField, bothOf, Field, Listing, ListQuery, ResourceDto, responseOf, type Member } from '../../../../kit/index.js';
import type { ApprovalSubstitute } from '../../model/records/approval-substitute.entity.js';

class SubstitutePeriodDto {
  @Field.date({
    description: "First day, in the time zone of each document's project.",
    example: '2026-12-21',
  })
  starts_on: string;

  @Field.date({
    description: 'Last day, included.',
    example: '2027-01-05',
  })
  ends_on: string;
}

/** A period in which another member decides, too. */
export class CreateSubstituteDto extends SubstitutePeriodDto {
  @Field.email({
    description: 'The member who decides on documents in that time.',
    example: 'grace@example.com',
  })
  substitute_email: string;

  @Field.email({
    description: 'Who is away: yourself if left out; others only with the permission papers.setup.manage.',
    example: 'ada@example.com',
    required: false,
    nullable: true,
  })
  member_email?: string | null;
}

class SubstitutePersonDto {
  @Field.string({
    description: 'E-mail address.',
    example: 'grace@example.com',
  })
  email: string;

  @Field.string({
    description: 'Name.',
    example: 'Grace Hopper',
  })
  name: string;
}

/** A member who decides on documents for another one in a period. */
export class SubstituteDto extends bothOf(ResourceDto, SubstitutePeriodDto) {
  @Field.constant('approval_substitute')
  object: string;

  @Field.object(() => SubstitutePersonDto, {
    description: 'Who is away. Their requests stay theirs, too.',
    example: undefined,
  })
  member: SubstitutePersonDto;

  @Field.object(() => SubstitutePersonDto, {
    description: 'Who decides for them.',
    example: undefined,
  })
  substitute: SubstitutePersonDto;

  @ActorField('Who chose the substitute.')
  created_by: ActorDto;

  static from(row: ApprovalSubstitute, memberOf: (id: string) => Member): SubstituteDto {
    const person = (id: string) => ({ email: memberOf(id).email, name: memberOf(id).name });
    return { ...responseOf(SubstituteDto, row), member: person(row.member_id), substitute: person(row.substitute_id) };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class SubstitutesQuery extends ListQuery {}
