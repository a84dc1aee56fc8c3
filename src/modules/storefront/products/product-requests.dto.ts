import { Expand, Field, Filter, Listing, partialOf, ProjectListQuery, type CustomFieldValues } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { OF_PROJECT, TAX_CLASS } from '../model/field-options.js';
import { PRODUCT_STATUSES, STANDARD_TAX_CLASS, type ProductStatus } from '../model/values.js';
import { CreateProductVariantDto, SKU, TEXT } from './product-variant.dto.js';

class ProductFieldsDto {
  @Field.string({
    summary: true,
    description: 'Title of the product.',
    example: 'Office chair',
  })
  title: string;

  @Field.string({
    description: 'Part of an address, unique in the project.',
    onCreate: 'From the title if omitted.',
    example: 'office-chair',
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    required: false,
  })
  slug?: string;

  @Field.string({
    description: 'Description for buyers.',
    example: 'With armrests',
    maxLength: 20_000,
    minLength: 0,
    nullable: true,
    required: false,
  })
  description?: string | null;

  @Field.oneOf(PRODUCT_STATUSES, {
    summary: true,
    description: 'Only active ones can be ordered.',
    example: 'active',
    default: 'draft',
    required: false,
  })
  status?: ProductStatus;

  @Field.uuid({
    description: 'Categories, from list_product_categories.',
    example: [EXAMPLE.category],
    default: [],
    list: { maxItems: 20 },
    required: false,
  })
  category_ids?: string[];

  @Field.uuid({
    description: 'Sales channels, from list_sales_channels; all if not set.',
    example: [EXAMPLE.channel],
    list: { maxItems: 50 },
    nullable: true,
    required: false,
  })
  channel_ids?: string[] | null;

  @Field.string({
    ...TAX_CLASS,
    default: STANDARD_TAX_CLASS,
    required: false,
  })
  tax_class?: string;

  @Field.string({
    ...TEXT,
    description: 'What variants differ in.',
    example: ['Color'],
    default: [],
    list: { maxItems: 3 },
    required: false,
  })
  option_names?: string[];

  @Field.string({
    description: 'Addresses of pictures.',
    example: ['https://example.com/chair.jpg'],
    pattern: '^https?://[^\\s]+$',
    maxLength: 2000,
    default: [],
    list: { maxItems: 20 },
    required: false,
  })
  image_urls?: string[];

  @Field.string({
    description: 'Id in your system, unique in the project.',
    example: 'erp-4711',
    nullable: true,
    required: false,
    isIdentifier: true,
  })
  external_id?: string | null;

  @Field.customFields('product')
  custom_fields?: CustomFieldValues;
}

export class CreateProductDto extends ProductFieldsDto {
  @Field.uuid(OF_PROJECT)
  project_id?: string;

  @Field.object(() => CreateProductVariantDto, {
    description: 'At least one; without options exactly one.',
    example: undefined,
    list: { minItems: 1, maxItems: 100 },
  })
  variants: CreateProductVariantDto[];
}

/** Variants are changed by put_product_variant. */
export class UpdateProductDto extends partialOf(ProductFieldsDto) {}

const EXPANDABLE = ['availability'] as const;
/** Agents ask what is in stock. */
const ASKED = { inTools: EXPANDABLE };

export class ProductQuery {
  @Expand(EXPANDABLE, ASKED)
  expand?: (typeof EXPANDABLE)[number][];
}

@Listing({
  sort: ['created_at', 'updated_at', 'title'],
  defaultSort: '-created_at',
  search: 'search',
  searched: 'title, slug, external_id and description',
  customFields: 'product',
})
export class ProductsQuery extends ProjectListQuery {
  @Filter.oneOf(PRODUCT_STATUSES, {
    description: 'Only with these statuses.',
    example: ['active'],
  })
  status?: ProductStatus[];

  @Filter.custom({
    kind: 'uuid',
    list: { maxItems: 50 },
    description: 'Only in any of these categories.',
    example: [EXAMPLE.category],
  })
  category_id?: string[];

  @Filter.custom({
    kind: 'uuid',
    description: 'Only what this channel sells.',
    example: EXAMPLE.channel,
  })
  channel_id?: string;

  @Filter.custom({
    kind: 'string',
    minLength: 1,
    maxLength: 64,
    list: { maxItems: 50 },
    description: 'Only products with a variant with one of these SKUs.',
    example: [SKU.example],
  })
  sku?: string[];

  @Filter.string({
    description: 'Only with these ids in your system.',
    example: ['erp-4711'],
  })
  external_id?: string[];

  @Expand(EXPANDABLE, ASKED)
  expand?: (typeof EXPANDABLE)[number][];
}
