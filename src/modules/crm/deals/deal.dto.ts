import { ActorDto, Field, ResourceDto } from '../../../kit/index.js';
import type { CustomFieldValues } from '../custom-fields/custom-fields.js';
import { STAGE_KINDS, type StageKind } from '../pipelines/stage-kind.js';
import type { Deal } from './deal.entity.js';
import { EXAMPLE } from './example-ids.js';

/** A possible sale. */
export class DealDto extends ResourceDto {
  @Field.constant('deal')
  object: string;

  @Field.uuid({
    description: 'Project of the deal.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'What is to be sold.',
    example: 'Annual license for Acme',
  })
  title: string;

  @Field.integer({
    description: 'Value in the minor unit of the currency.',
    example: 1_250_000,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  })
  amount: number;

  @Field.string({
    description: 'Currency as ISO 4217 code.',
    example: 'EUR',
  })
  currency: string;

  @Field.uuid({
    description: 'Pipeline of the deal.',
    example: EXAMPLE.pipeline,
  })
  pipeline_id: string;

  @Field.string({
    description: 'Name of the pipeline.',
    example: 'Sales',
    nullable: true,
  })
  pipeline_name?: string | null;

  @Field.uuid({
    description: 'Stage in the pipeline.',
    example: EXAMPLE.stage,
  })
  stage_id: string;

  @Field.string({
    description: 'Name of the stage.',
    example: 'Negotiation',
    nullable: true,
  })
  stage_name?: string | null;

  @Field.oneOf(STAGE_KINDS, {
    description: 'The kind of the stage.',
    example: 'open',
  })
  status: StageKind;

  @Field.uuid({
    description: 'Member who owns the deal; null for nobody.',
    example: EXAMPLE.member,
    nullable: true,
  })
  owner_id: string | null;

  @Field.string({
    description: 'Name of the owner.',
    example: 'Ada Lovelace',
    nullable: true,
  })
  owner_name?: string | null;

  @Field.uuid({
    description: 'Source; null when unknown.',
    example: EXAMPLE.source,
    nullable: true,
  })
  source_id: string | null;

  @Field.string({
    description: 'Name of the source.',
    example: 'Website',
    nullable: true,
  })
  source_name?: string | null;

  @Field.uuid({
    description: 'Contacts of the deal.',
    example: [EXAMPLE.contact],
    list: { maxItems: 50 },
  })
  contact_ids: string[];

  @Field.date({
    description: 'Expected day of the decision.',
    example: '2026-12-15',
    nullable: true,
  })
  expected_close_on: string | null;

  @Field.string({
    description: 'Why the deal was lost.',
    example: 'Chose a competitor',
    nullable: true,
    maxLength: 500,
  })
  lost_reason: string | null;

  @Field.dateTime({
    description: 'When the deal was won or lost, UTC; null while it is open.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  closed_at: string | null;

  @Field.map({
    description: 'Values by the keys of the custom field definitions.',
    example: { seats: 25 },
  })
  custom_fields: CustomFieldValues;

  @Field.object(() => ActorDto, {
    description: 'Who created it.',
    example: undefined,
  })
  created_by: ActorDto;

  static from(this: void, deal: Deal): DealDto {
    const {
      id,
      project_id,
      title,
      amount,
      currency,
      pipeline_id,
      stage_id,
      status,
      owner_id,
      source_id,
      contact_ids,
      expected_close_on,
      lost_reason,
      custom_fields,
      created_by,
      version,
    } = deal;
    return {
      object: 'deal',
      id,
      project_id,
      title,
      amount,
      currency,
      pipeline_id,
      stage_id,
      status,
      owner_id,
      source_id,
      contact_ids,
      expected_close_on,
      lost_reason,
      closed_at: deal.closed_at?.toISOString() ?? null,
      custom_fields,
      created_by,
      version,
      created_at: deal.created_at.toISOString(),
      updated_at: deal.updated_at.toISOString(),
    };
  }
}
