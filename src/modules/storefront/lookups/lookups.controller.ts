import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, listBody, type ListBody } from '../../../kit/index.js';
import { Category } from '../model/category.entity.js';
import { Channel } from '../model/channel.entity.js';
import { ShippingMethod } from '../model/shipping-method.entity.js';
import { StorefrontLookups } from './lookups.service.js';
import { ProductCategoriesQuery, ProductCategoryDto } from './product-categories.dto.js';
import { SalesChannelDto, SalesChannelsQuery } from './sales-channels.dto.js';
import { ShippingMethodDto, ShippingMethodsQuery } from './shipping-methods.dto.js';

const SCOPE = 'storefront:config:read';
const MEMBER = { permission: ['storefront.product.manage', 'storefront.order.manage', 'storefront.setup.manage'] };

@Controller('/api/v1/ext/storefront')
export class StorefrontLookupsController {
  constructor(private readonly lookups: StorefrontLookups) {}

  @Get('categories')
  @Endpoint({
    scope: SCOPE,
    member: MEMBER,
    operation: 'list_product_categories',
    summary: 'List the categories of products',
    returns: ProductCategoryDto,
    list: true,
    lookup: true,
  })
  async categories(@Ctx() ctx: Ctx, @Query() query: ProductCategoriesQuery): Promise<ListBody<ProductCategoryDto>> {
    return listBody(await this.lookups.page(ctx, Category, query), ProductCategoryDto.from);
  }

  @Get('channels')
  @Endpoint({
    scope: SCOPE,
    member: MEMBER,
    operation: 'list_sales_channels',
    summary: 'List the channels that orders come from',
    returns: SalesChannelDto,
    list: true,
    lookup: true,
  })
  async channels(@Ctx() ctx: Ctx, @Query() query: SalesChannelsQuery): Promise<ListBody<SalesChannelDto>> {
    return listBody(await this.lookups.page(ctx, Channel, query), SalesChannelDto.from);
  }

  @Get('shipping-methods')
  @Endpoint({
    scope: SCOPE,
    member: MEMBER,
    operation: 'list_shipping_methods',
    summary: 'List the ways to ship orders',
    returns: ShippingMethodDto,
    list: true,
    lookup: true,
  })
  async shippingMethods(@Ctx() ctx: Ctx, @Query() query: ShippingMethodsQuery): Promise<ListBody<ShippingMethodDto>> {
    return listBody(await this.lookups.page(ctx, ShippingMethod, query), ShippingMethodDto.from);
  }
}
