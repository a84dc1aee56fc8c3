import { Field, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../fields/example-ids.js';

/** The body that starts scoring. */
export class ScoreLeadsDto {
  @Field.uuid({
    description: 'Project whose leads to score.',
    example: EXAMPLE.project,
  })
  project_id: string;
}

/** A requested scoring. */
export class LeadScoringDto extends shownOf(ScoreLeadsDto, { project_id: 'Project whose leads are scored.' }) {
  @Field.constant('lead_scoring')
  object: string;

  static from(this: void, project_id: string): LeadScoringDto {
    return { object: 'lead_scoring', project_id };
  }
}
