import { Field } from '../../../kit/index.js';
import { POSITION } from '../lookups/lookups.dto.js';
import { EXAMPLE } from '../model/example-ids.js';

export const PLACE = { ...POSITION, description: 'Position in the list; the last one if omitted.', required: false };
export const ACTIVE = { description: 'Whether it is in use.', example: true, default: true, required: false };
export const OF_PROJECT = { description: 'Only of this project.', example: EXAMPLE.project, required: false };

export class OfProjectDto {
  @Field.uuid({
    description: 'The project; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;
}
