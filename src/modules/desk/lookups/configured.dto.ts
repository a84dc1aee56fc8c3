import { Field, ResourceDto } from '../../../kit/index.js';
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

/** The fields that all rows of configuration show. */
export abstract class DeskConfiguredDto extends ResourceDto {
  @Field.uuid({
    description: 'Project.',
    example: EXAMPLE.project,
  })
  project_id: string;
}

export class OfProjectDto {
  @Field.uuid({
    description: 'The project; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;
}
