import { Body, Controller, Get, HttpStatus, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { ProductAvailability } from './availability.service.js';
import { CreateProductDto, ProductQuery, ProductsQuery, UpdateProductDto } from './product-requests.dto.js';
import { ProductVariantDto, PutProductVariantDto, SKU } from './product-variant.dto.js';
import { ProductDto } from './product.dto.js';
import { ProductsService } from './products.service.js';
import { ProductEvents } from './products.events.js';

const VIEW = { permission: ['storefront.product.manage', 'storefront.order.manage'] };
const MANAGE = { permission: 'storefront.product.manage' };

@Controller('/api/v1/ext/storefront/products')
export class ProductsController {
  constructor(
    private readonly products: ProductsService,
    private readonly availability: ProductAvailability,
  ) {}

  @Get()
  @Endpoint({
    scope: 'storefront:product:read',
    member: VIEW,
    operation: 'list_products',
    summary: 'List products',
    description: 'Order lines take ids of variants: tools show variants if fields names them.',
    returns: ProductDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: ProductsQuery): Promise<ListBody<ProductDto>> {
    const page = await this.products.page(ctx, query);
    return listBody(page, await this.availability.mapper(ctx, page.data, query.expand, query.channel_id));
  }

  @Get(':id')
  @Endpoint({
    scope: 'storefront:product:read',
    member: VIEW,
    operation: 'get_product',
    summary: 'Get one product with its variants',
    returns: ProductDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string, @Query() query: ProductQuery): Promise<ProductDto> {
    return this.availability.one(ctx, await this.products.get(ctx, id), query.expand);
  }

  @Post()
  @Endpoint({
    scope: 'storefront:product:write',
    member: MANAGE,
    operation: 'create_product',
    summary: 'Create a product with its variants',
    returns: ProductDto,
    status: 201,
    errors: [CommonErrors.duplicate],
    emits: [ProductEvents.productCreated],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateProductDto): Promise<ProductDto> {
    return ProductDto.from(await this.products.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    scope: 'storefront:product:write',
    member: MANAGE,
    operation: 'update_product',
    summary: 'Change a product',
    description: 'Change variants with put_product_variant.',
    returns: ProductDto,
    errors: [CommonErrors.duplicate],
    emits: [ProductEvents.productUpdated],
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateProductDto): Promise<ProductDto> {
    return ProductDto.from(await this.products.update(ctx, id, body));
  }

  @Put(':id/variants/:sku')
  @Endpoint({
    scope: 'storefront:product:write',
    member: MANAGE,
    operation: 'put_product_variant',
    summary: 'Add a variant, or replace the one with this SKU',
    description: 'Omitted fields get their defaults. Placed orders keep their prices.',
    returns: ProductVariantDto,
    alsoReturns: { 201: 'The variant was added.' },
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
    emits: [ProductEvents.productUpdated],
  })
  async putVariant(
    @Ctx() ctx: Ctx,
    @Id('id', 'Id of the product.') id: string,
    @Id('sku', 'SKU of the variant.', SKU) sku: string,
    @Body() body: PutProductVariantDto,
    @Res({ passthrough: true }) reply: { status(code: number): void },
  ): Promise<ProductVariantDto> {
    const { variant, isNew } = await this.products.putVariant(ctx, id, sku, body);
    if (isNew) reply.status(HttpStatus.CREATED);
    return ProductVariantDto.from(variant);
  }
}
