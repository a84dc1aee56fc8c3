import { ActiveLookupQuery, bothOf, Field, Listing, partialOf, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import type { Category } from '../model/category.entity.js';
import { OF_PROJECT } from '../model/field-options.js';

export class CreateProductCategoryDto {
  @Field.uuid(OF_PROJECT)
  project_id?: string;

  @Field.string({
    summary: true,
    description: 'Name, unique in the project.',
    example: 'Chairs',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.integer({
    description: 'Position in the list.',
    onCreate: 'The last one if omitted.',
    example: 1,
    minimum: 1,
    maximum: 10_000,
    required: false,
  })
  position?: number;

  @Field.boolean({
    summary: true,
    description: 'Whether shops should show it.',
    example: true,
    default: true,
    required: false,
  })
  active?: boolean;
}

export class UpdateProductCategoryDto extends partialOf(CreateProductCategoryDto, { omit: ['project_id'] }) {}

/** A group of products. */
export class ProductCategoryDto extends bothOf(
  ResourceDto,
  shownOf(CreateProductCategoryDto, { project_id: 'Project of the category.', name: true, position: true, active: true }),
) {
  @Field.constant('product_category')
  object: string;

  static from(this: void, category: Category): ProductCategoryDto {
    return responseOf(ProductCategoryDto, category);
  }
}

@Listing({
  sort: ['position', 'created_at'],
  defaultSort: 'position',
})
export class ProductCategoriesQuery extends ActiveLookupQuery {}
