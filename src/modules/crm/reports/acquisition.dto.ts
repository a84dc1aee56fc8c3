import { Field, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../fields/example-ids.js';

const INTERVALS = ['day', 'week', 'month', 'year'] as const;
export type Interval = (typeof INTERVALS)[number];

export const MOST_ROWS = 1000;

export class AcquisitionQuery {
  @Field.date({
    description: 'Only leads created on or after this day, UTC. Defaults to a year before `to`.',
    example: '2026-01-01',
    required: false,
  })
  from?: string;

  @Field.date({
    description: 'Only leads created on or before this day, UTC. Defaults to today.',
    example: '2026-12-31',
    required: false,
  })
  to?: string;

  @Field.oneOf(INTERVALS, {
    description: 'Length of the periods; weeks begin on Monday.',
    example: 'month',
    required: false,
    default: 'month',
  })
  interval?: Interval;

  @Field.uuid({
    description: 'Only leads of this project.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;
}

/** The leads of one project, period, source and campaign. */
export class AcquisitionRowDto {
  @Field.uuid({
    description: 'Project of the leads.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.date({
    description: 'First day of the period, UTC.',
    example: '2026-11-01',
  })
  period_start_on: string;

  @Field.uuid({
    description: 'Source, as in list_lead_sources; null for leads without one.',
    example: EXAMPLE.source,
    nullable: true,
  })
  source_id: string | null;

  @Field.string({
    description: 'Name of the source.',
    example: 'Website',
    nullable: true,
    maxLength: 100,
  })
  source_name: string | null;

  @Field.string({
    description: 'utm_source of the leads.',
    example: 'newsletter',
    nullable: true,
  })
  utm_source: string | null;

  @Field.string({
    description: 'utm_campaign of the leads.',
    example: 'autumn-2026',
    nullable: true,
  })
  utm_campaign: string | null;

  @Field.integer({
    description: 'Number of leads.',
    example: 42,
    minimum: 1,
  })
  leads: number;

  @Field.integer({
    description: 'How often these leads were submitted.',
    example: 51,
    minimum: 1,
  })
  submissions: number;

  @Field.integer({
    description: 'How many of the leads were converted.',
    example: 7,
    minimum: 0,
  })
  converted: number;
}

/** Where leads come from. */
export class AcquisitionReportDto extends shownOf(AcquisitionQuery, {
  from: 'First day of the report, UTC.',
  to: 'Day before which the report ends, UTC.',
  interval: 'Length of the periods.',
}) {
  @Field.constant('acquisition_report')
  object: string;

  @Field.object(() => AcquisitionRowDto, {
    description: 'The latest period first; within it, the most leads first.',
    example: undefined,
    list: { maxItems: MOST_ROWS, repeats: true },
  })
  rows: AcquisitionRowDto[];
}
