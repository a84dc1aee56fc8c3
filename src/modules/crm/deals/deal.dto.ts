import { ActorDto, ActorField, bothOf, Field, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { CreateDealDto } from './deal-requests.dto.js';
import type { Deal } from './deal.entity.js';

/** A possible sale. */
export class DealDto extends bothOf(
  ResourceDto,
  shownOf(CreateDealDto, {
    project_id: 'Project of the deal.',
    title: 'What is to be sold.',
    amount: 'Value in the minor unit of the currency.',
    currency: true,
    pipeline_id: 'Pipeline of the deal.',
    stage_id: 'Stage in the pipeline.',
    status: { description: 'The kind of the stage.', example: 'open', summary: false },
    owner_id: 'Member who owns the deal; null for nobody.',
    source_id: 'Source; null when unknown.',
    contact_ids: 'Contacts of the deal.',
    expected_close_on: 'Expected day of the decision.',
    lost_reason: { description: 'Why the deal was lost.', example: null },
    custom_fields: 'Custom fields by key.',
  }),
) {
  @Field.constant('deal')
  object: string;

  @Field.string({
    description: 'Their names, in the order of `contact_ids`. In answers to GET, POST and PATCH, if the caller may read contacts.',
    example: ['Ada Lovelace'],
    required: false,
    list: { maxItems: 50, repeats: true },
  })
  contact_names?: string[];

  @Field.string({
    description: 'Name of the pipeline.',
    example: 'Sales',
    nullable: true,
  })
  pipeline_name?: string | null;

  @Field.string({
    summary: true,
    description: 'Name of the stage.',
    example: 'Negotiation',
    nullable: true,
  })
  stage_name?: string | null;

  @Field.string({
    summary: 'if_short',
    description: 'Name of the owner.',
    example: 'Ada Lovelace',
    nullable: true,
  })
  owner_name?: string | null;

  @Field.string({
    description: 'Name of the source.',
    example: 'Website',
    nullable: true,
  })
  source_name?: string | null;

  @Field.dateTime({
    description: 'When the deal was won or lost, UTC; null while it is open.',
    example: null,
    nullable: true,
  })
  closed_at: string | null;

  @ActorField('Who created it.')
  created_by: ActorDto;

  static from(this: void, deal: Deal): DealDto {
    return responseOf(DealDto, deal);
  }
}
