import { ActorDto, Field, ResourceDto } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { Product } from '../model/product.entity.js';
import type { ShownVariant } from '../model/shown-variant.js';
import { PRODUCT_STATUSES, STANDARD_TAX_CLASS, type ProductStatus } from '../model/values.js';
import { ShownVariantDto, TEXT } from './product-variant.dto.js';

/** What is offered. */
export class ProductDto extends ResourceDto {
  @Field.constant('product')
  object: string;

  @Field.uuid({
    description: 'Project of the product.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'Title.',
    example: 'Office chair',
  })
  title: string;

  @Field.string({
    description: 'Part of an address.',
    example: 'office-chair',
  })
  slug: string;

  @Field.string({
    description: 'Description.',
    example: 'With armrests',
    minLength: 0,
    maxLength: 20_000,
    nullable: true,
  })
  description: string | null;

  @Field.oneOf(PRODUCT_STATUSES, {
    description: 'Only active ones can be ordered.',
    example: 'active',
  })
  status: ProductStatus;

  @Field.uuid({
    description: 'Categories.',
    example: [EXAMPLE.category],
    list: { maxItems: 20 },
  })
  category_ids: string[];

  @Field.uuid({
    description: 'Channels that sell it; null: all.',
    example: [EXAMPLE.channel],
    list: { maxItems: 50 },
    nullable: true,
  })
  channel_ids: string[] | null;

  @Field.string({
    description: 'Tax class.',
    example: STANDARD_TAX_CLASS,
    maxLength: 32,
  })
  tax_class: string;

  @Field.string({
    ...TEXT,
    description: 'What variants differ in.',
    example: ['Color'],
    list: { maxItems: 3 },
  })
  option_names: string[];

  @Field.string({
    description: 'Addresses of images.',
    example: ['https://cdn.example.com/chair.jpg'],
    maxLength: 2000,
    list: { maxItems: 20 },
  })
  image_urls: string[];

  @Field.string({
    description: 'Id in your system.',
    example: 'erp-4711',
    nullable: true,
    isIdentifier: true,
  })
  external_id: string | null;

  @Field.object(() => ShownVariantDto, {
    description: 'What can be bought.',
    example: undefined,
    list: { maxItems: 100 },
  })
  variants: ShownVariantDto[];

  @Field.object(() => ActorDto, {
    description: 'Who created it.',
    example: undefined,
  })
  created_by: ActorDto;

  /** `variants` default to those read with the row; a row that was written needs them. */
  static from(this: void, product: Product, variants: readonly ShownVariant[] = product.variants ?? []): ProductDto {
    const { id, project_id, title, slug, description, status, category_ids, channel_ids, tax_class } = product;
    const { option_names, image_urls, external_id, created_by, version } = product;
    return {
      object: 'product',
      id,
      project_id,
      title,
      slug,
      description,
      status,
      category_ids,
      channel_ids,
      tax_class,
      option_names,
      image_urls,
      external_id,
      variants: [...variants],
      created_by,
      version,
      created_at: product.created_at.toISOString(),
      updated_at: product.updated_at.toISOString(),
    };
  }
}
