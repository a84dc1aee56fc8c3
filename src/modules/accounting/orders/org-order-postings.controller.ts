import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { AccountingErrors } from '../model/accounting.errors.js';
import { OrderInvoices } from './order-invoices.service.js';
import { OrderPostingDto, OrderPostingsQuery, RetryOrderPostingDto } from './order-postings.dto.js';

const permission = 'accounting.invoice.manage';

@Controller('/api/v1/org/accounting/order-postings')
export class OrgOrderPostingsController {
  constructor(private readonly orders: OrderInvoices) {}

  @Get()
  @Endpoint({
    operation: 'list_org_order_postings',
    summary: 'List the postings of orders',
    permission,
    returns: OrderPostingDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: OrderPostingsQuery): Promise<ListBody<OrderPostingDto>> {
    return listBody(await this.orders.page(ctx, query), OrderPostingDto.from);
  }

  @Post(':id/retry')
  @Endpoint({
    operation: 'retry_org_order_posting',
    summary: 'Retry a posting of an order that failed or waits',
    permission,
    returns: OrderPostingDto,
    ifMatch: true,
    errors: [
      CommonErrors.resourceConflict,
      AccountingErrors.setupIncomplete,
      AccountingErrors.periodClosed,
      AccountingErrors.invalidTransition,
    ],
  })
  async retry(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: RetryOrderPostingDto): Promise<OrderPostingDto> {
    return OrderPostingDto.from(await this.orders.retry(ctx, id, body));
  }
}
