import { Field, Filter, LookupQuery, ResourceDto } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';

export const NAME = { description: 'Name, unique in the project.', maxLength: 100, isIdentifier: true };
export const PLACE = {
  description: 'Position in the list; the last one if omitted.',
  example: 1,
  minimum: 1,
  maximum: 10_000,
  required: false,
};
export const ACTIVE = { description: 'Whether it is in use.', example: true, default: true, required: false };

interface Row {
  id: string;
  project_id: string;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** The fields that all rows of configuration show. */
export abstract class DeskConfiguredDto extends ResourceDto {
  @Field.uuid({
    description: 'Project.',
    example: EXAMPLE.project,
  })
  project_id: string;
}

export function base({ id, project_id, version, created_at, updated_at }: Row) {
  return { id, project_id, version, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}

export class OfProjectDto {
  @Field.uuid({
    description: 'The project; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;
}

export abstract class DeskLookupQuery extends LookupQuery {
  @Field.uuid({
    description: 'Only of this project.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;
}

/** Of what can be retired. */
export abstract class ActiveLookupQuery extends DeskLookupQuery {
  @Filter.boolean({
    description: 'Only active ones, or only others.',
    example: true,
  })
  active?: boolean;
}
