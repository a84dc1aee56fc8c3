import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { StorefrontLookups } from '../lookups/lookups.service.js';
import { CreateProductCategoryDto, ProductCategoryDto, UpdateProductCategoryDto } from '../lookups/product-categories.dto.js';
import { CreateSalesChannelDto, SalesChannelDto, UpdateSalesChannelDto } from '../lookups/sales-channels.dto.js';
import { CreateShippingMethodDto, ShippingMethodDto, UpdateShippingMethodDto } from '../lookups/shipping-methods.dto.js';
import {
  CreateStorefrontTaxRateDto,
  StorefrontTaxRateDto,
  StorefrontTaxRatesQuery,
  UpdateStorefrontTaxRateDto,
} from '../lookups/tax-rates.dto.js';
import { Category } from '../model/category.entity.js';
import { Channel } from '../model/channel.entity.js';
import { ShippingMethod } from '../model/shipping-method.entity.js';
import { TaxRate } from '../model/tax-rate.entity.js';
import { StorefrontSetup } from './storefront-setup.service.js';

const permission = 'storefront.setup.manage';
const RETIRE = 'One that products or orders use cannot be deleted; send active: false instead.';

@Controller('/api/v1/org/storefront')
export class OrgStorefrontSetupController {
  constructor(
    private readonly lookups: StorefrontLookups,
    private readonly setup: StorefrontSetup,
  ) {}

  @Get('tax-rates')
  @Endpoint({
    operation: 'list_org_storefront_tax_rates',
    summary: 'List the tax rates',
    permission: ['storefront.product.manage', 'storefront.order.manage', permission],
    returns: StorefrontTaxRateDto,
    list: true,
  })
  async taxRates(@Ctx() ctx: Ctx, @Query() query: StorefrontTaxRatesQuery): Promise<ListBody<StorefrontTaxRateDto>> {
    return listBody(await this.lookups.page(ctx, TaxRate, query), StorefrontTaxRateDto.from);
  }

  @Post('channels')
  @Endpoint({
    operation: 'create_org_sales_channel',
    summary: 'Create a sales channel',
    permission,
    returns: SalesChannelDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createChannel(@Ctx() ctx: Ctx, @Body() body: CreateSalesChannelDto): Promise<SalesChannelDto> {
    return SalesChannelDto.from(await this.setup.createChannel(ctx, body));
  }

  @Patch('channels/:id')
  @Endpoint({
    operation: 'update_org_sales_channel',
    summary: 'Change a sales channel',
    permission,
    returns: SalesChannelDto,
    errors: [CommonErrors.duplicate],
  })
  async updateChannel(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateSalesChannelDto): Promise<SalesChannelDto> {
    return SalesChannelDto.from(await this.setup.update(ctx, Channel, id, body));
  }

  @Delete('channels/:id')
  @Endpoint({
    operation: 'delete_org_sales_channel',
    summary: 'Delete an unused sales channel',
    description: RETIRE,
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  deleteChannel(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.setup.delete(ctx, Channel, id);
  }

  @Post('categories')
  @Endpoint({
    operation: 'create_org_product_category',
    summary: 'Create a category of products',
    permission,
    returns: ProductCategoryDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createCategory(@Ctx() ctx: Ctx, @Body() body: CreateProductCategoryDto): Promise<ProductCategoryDto> {
    return ProductCategoryDto.from(await this.setup.createCategory(ctx, body));
  }

  @Patch('categories/:id')
  @Endpoint({
    operation: 'update_org_product_category',
    summary: 'Change a category of products',
    permission,
    returns: ProductCategoryDto,
    errors: [CommonErrors.duplicate],
  })
  async updateCategory(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateProductCategoryDto): Promise<ProductCategoryDto> {
    return ProductCategoryDto.from(await this.setup.update(ctx, Category, id, body));
  }

  @Delete('categories/:id')
  @Endpoint({
    operation: 'delete_org_product_category',
    summary: 'Delete an unused category of products',
    description: RETIRE,
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  deleteCategory(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.setup.delete(ctx, Category, id);
  }

  @Post('shipping-methods')
  @Endpoint({
    operation: 'create_org_shipping_method',
    summary: 'Create a shipping method',
    permission,
    returns: ShippingMethodDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createShippingMethod(@Ctx() ctx: Ctx, @Body() body: CreateShippingMethodDto): Promise<ShippingMethodDto> {
    return ShippingMethodDto.from(await this.setup.createShippingMethod(ctx, body));
  }

  @Patch('shipping-methods/:id')
  @Endpoint({
    operation: 'update_org_shipping_method',
    summary: 'Change a shipping method',
    permission,
    returns: ShippingMethodDto,
    errors: [CommonErrors.duplicate],
  })
  async updateShippingMethod(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateShippingMethodDto): Promise<ShippingMethodDto> {
    return ShippingMethodDto.from(await this.setup.update(ctx, ShippingMethod, id, body));
  }

  @Delete('shipping-methods/:id')
  @Endpoint({
    operation: 'delete_org_shipping_method',
    summary: 'Delete an unused shipping method',
    description: RETIRE,
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  deleteShippingMethod(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.setup.delete(ctx, ShippingMethod, id);
  }

  @Post('tax-rates')
  @Endpoint({
    operation: 'create_org_storefront_tax_rate',
    summary: 'Create a tax rate',
    permission,
    returns: StorefrontTaxRateDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createTaxRate(@Ctx() ctx: Ctx, @Body() body: CreateStorefrontTaxRateDto): Promise<StorefrontTaxRateDto> {
    return StorefrontTaxRateDto.from(await this.setup.createTaxRate(ctx, body));
  }

  @Patch('tax-rates/:id')
  @Endpoint({
    operation: 'update_org_storefront_tax_rate',
    summary: 'Change a tax rate',
    description: 'Orders keep the rate that they were placed with. Country and class are fixed while it is used.',
    permission,
    returns: StorefrontTaxRateDto,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async updateTaxRate(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateStorefrontTaxRateDto): Promise<StorefrontTaxRateDto> {
    return StorefrontTaxRateDto.from(await this.setup.updateTaxRate(ctx, id, body));
  }

  @Delete('tax-rates/:id')
  @Endpoint({
    operation: 'delete_org_storefront_tax_rate',
    summary: 'Delete an unused tax rate',
    description: 'One that orders, products or shipping methods use cannot be deleted.',
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  deleteTaxRate(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.setup.delete(ctx, TaxRate, id);
  }
}
