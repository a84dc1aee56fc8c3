import { Field, Filter, ProjectListQuery, ResourceDto } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';

/** What belongs to an item. */
export abstract class OfItemDto extends ResourceDto {
  @Field.uuid({
    description: 'Project of the item.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.uuid({
    summary: 'if_short',
    description: 'The item.',
    example: EXAMPLE.item,
  })
  item_id: string;
}

/** A list of what belongs to items. */
export abstract class OfItemsQuery extends ProjectListQuery {
  @Filter.uuid({
    description: 'Only of these items.',
    example: [EXAMPLE.item],
  })
  item_id?: string[];
}
