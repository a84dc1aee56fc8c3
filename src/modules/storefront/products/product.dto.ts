import { ActorDto, ActorField, bothOf, Field, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import type { Product } from '../model/product.entity.js';
import type { ShownVariant } from '../model/shown-variant.js';
import { CreateProductDto } from './product-requests.dto.js';
import { ShownVariantDto } from './product-variant.dto.js';

/** What is offered. */
export class ProductDto extends bothOf(
  ResourceDto,
  shownOf(CreateProductDto, {
    project_id: 'Project of the product.',
    title: true,
    slug: 'Part of an address.',
    description: true,
    status: true,
    category_ids: 'Categories.',
    channel_ids: 'Channels that sell it; null: all.',
    tax_class: true,
    option_names: true,
    image_urls: 'Addresses of images.',
    external_id: 'Id in your system.',
    custom_fields: 'Custom fields by key.',
  }),
) {
  @Field.constant('product')
  object: string;

  @Field.object(() => ShownVariantDto, {
    summary: true,
    description: 'What can be bought.',
    example: undefined,
    list: { maxItems: 100 },
  })
  variants: ShownVariantDto[];

  @ActorField('Who created it.')
  created_by: ActorDto;

  /** `variants` default to those read with the row; a row that was written needs them. */
  static from(this: void, product: Product, variants: readonly ShownVariant[] = product.variants ?? []): ProductDto {
    return { ...responseOf(ProductDto, product), variants: [...variants] };
  }
}
