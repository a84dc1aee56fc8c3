import { Field } from '../../../kit/index.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';

/** The body that starts scoring. */
export class ScoreLeadsDto {
  @Field.uuid({
    description: 'Project whose leads to score.',
    example: PROJECT,
  })
  project_id: string;
}

/** A requested scoring. */
export class LeadScoringDto {
  @Field.constant('lead_scoring')
  object: string;

  @Field.uuid({
    description: 'Project whose leads are scored.',
    example: PROJECT,
  })
  project_id: string;

  static from(this: void, project_id: string): LeadScoringDto {
    return { object: 'lead_scoring', project_id };
  }
}
