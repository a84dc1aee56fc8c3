import { bothOf, Field, partialOf, ResourceDto, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../fields/example-ids.js';
import type { LeadSource } from './lead-source.entity.js';

/** The body that creates a lead source. */
export class CreateLeadSourceDto {
  @Field.uuid({
    description: 'Project of the source.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    summary: true,
    description: 'Name, unique in the project.',
    example: 'Trade fair',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;
}

export class UpdateLeadSourceDto extends partialOf(CreateLeadSourceDto, { omit: ['project_id'] }) {}

/** A source of leads. */
export class LeadSourceDto extends bothOf(ResourceDto, shownOf(CreateLeadSourceDto, { project_id: true, name: true })) {
  @Field.constant('lead_source')
  object: string;

  static from(this: void, { id, project_id, name, version, created_at, updated_at }: LeadSource): LeadSourceDto {
    return {
      object: 'lead_source',
      id,
      project_id,
      name,
      version,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    };
  }
}
