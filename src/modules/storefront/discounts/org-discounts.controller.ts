import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { CreateDiscountDto, DiscountDto, DiscountsQuery, UpdateDiscountDto } from './discounts.dto.js';
import { DiscountsService } from './discounts.service.js';

const permission = 'storefront.product.manage';
const VIEW = [permission, 'storefront.order.manage'];

@Controller('/api/v1/org/storefront/discounts')
export class OrgDiscountsController {
  constructor(private readonly discounts: DiscountsService) {}

  @Get()
  @Endpoint({
    operation: 'list_org_discounts',
    summary: 'List discount codes',
    permission: VIEW,
    returns: DiscountDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: DiscountsQuery): Promise<ListBody<DiscountDto>> {
    return listBody(await this.discounts.page(ctx, query), DiscountDto.from);
  }

  @Get(':id')
  @Endpoint({
    operation: 'get_org_discount',
    summary: 'Get a discount code',
    permission: VIEW,
    returns: DiscountDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<DiscountDto> {
    return DiscountDto.from(await this.discounts.get(ctx, id));
  }

  @Post()
  @Endpoint({
    operation: 'create_org_discount',
    summary: 'Create a discount code',
    permission,
    returns: DiscountDto,
    status: 201,
    errors: [CommonErrors.duplicate],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateDiscountDto): Promise<DiscountDto> {
    return DiscountDto.from(await this.discounts.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    operation: 'update_org_discount',
    summary: 'Change a discount code',
    description: 'Kind and value are fixed, and so is the currency once it is set: create another code instead.',
    permission,
    returns: DiscountDto,
    errors: [CommonErrors.duplicate],
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateDiscountDto): Promise<DiscountDto> {
    return DiscountDto.from(await this.discounts.update(ctx, id, body));
  }

  @Delete(':id')
  @Endpoint({
    operation: 'delete_org_discount',
    summary: 'Delete an unused discount code',
    description: 'One that orders use cannot be deleted; send active: false instead.',
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.discounts.delete(ctx, id);
  }
}
