import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, RequestedPaymentDto, RequestPaymentDto, type ListBody } from '../../../kit/index.js';
import { InventoryErrors } from '../../inventory/inventory.public.js';
import { CartsService } from '../carts/carts.service.js';
import { StorefrontErrors } from '../model/storefront.errors.js';
import { FulfillOrderDto } from '../order/order-fulfillment.dto.js';
import { RecordOrderPaymentDto } from '../order/order-payment.dto.js';
import { RefundOrderDto } from '../order/order-refund.dto.js';
import { CancelOrderDto, CreateOrderDto, OrdersQuery, PlaceOrderDto, UpdateOrderDto } from '../order/order-requests.dto.js';
import { OrderDto } from '../order/order.dto.js';
import { PaymentRequestsService } from '../payments/payment-requests.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import { RefundsService } from '../payments/refunds.service.js';
import { CancellationsService } from '../shipping/cancellations.service.js';
import { ShippingService } from '../shipping/shipping.service.js';
import { OrderNames } from './order-names.service.js';
import { OrdersService } from './orders.service.js';
import { InventoryEvents } from '../../inventory/inventory.public.js';
import { OrderEvents } from '../order/orders.events.js';
import { ORDER_NUMBER } from '../model/order-number.js';

const READ = { scope: 'storefront:order:read', member: { permission: 'storefront.order.manage' } };
const WRITE = { scope: 'storefront:order:write', member: { permission: 'storefront.order.manage' } };
const PRICING = [StorefrontErrors.priceMissing, StorefrontErrors.taxRateMissing, StorefrontErrors.discountRefused];
const { duplicate, paymentRefused } = CommonErrors;

@Controller('/api/v1/ext/storefront/orders')
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly carts: CartsService,
    private readonly payments: PaymentsService,
    private readonly requests: PaymentRequestsService,
    private readonly refunds: RefundsService,
    private readonly shipping: ShippingService,
    private readonly cancellations: CancellationsService,
    private readonly names: OrderNames,
  ) {}

  @Get()
  @Endpoint({
    ...READ,
    operation: 'list_orders',
    summary: 'List orders',
    returns: OrderDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: OrdersQuery): Promise<ListBody<OrderDto>> {
    const page = await this.orders.page(ctx, query);
    return listBody(page, await this.names.mapper(ctx, page.data));
  }

  @Get(':id')
  @Endpoint({
    ...READ,
    operation: 'get_order',
    summary: 'Get one order',
    returns: OrderDto,
  })
  async get(@Ctx() ctx: Ctx, @Id(ORDER_NUMBER) id: string): Promise<OrderDto> {
    return this.names.one(ctx, await this.orders.get(ctx, id));
  }

  @Post()
  @Endpoint({
    ...WRITE,
    operation: 'create_order',
    summary: 'Create a draft order, which is a cart',
    description: 'It is priced at each change and reserves nothing. Read its totals, then call place_order.',
    returns: OrderDto,
    status: 201,
    errors: [...PRICING, InventoryErrors.insufficientStock, duplicate],
    emits: [
      OrderEvents.created,
      OrderEvents.stateChanged,
      InventoryEvents.reservationCreated,
      InventoryEvents.stockLow,
      InventoryEvents.reorderDue,
    ],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateOrderDto): Promise<OrderDto> {
    return this.names.one(ctx, await this.carts.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    ...WRITE,
    operation: 'update_order',
    summary: 'Change a draft order, or the note and addresses of a placed order',
    returns: OrderDto,
    errors: [...PRICING, StorefrontErrors.invalidTransition, duplicate],
    emits: [OrderEvents.updated],
  })
  async update(@Ctx() ctx: Ctx, @Id(ORDER_NUMBER) id: string, @Body() body: UpdateOrderDto): Promise<OrderDto> {
    return this.names.one(ctx, await this.carts.update(ctx, id, body));
  }

  @Post(':id/place')
  @Endpoint({
    ...WRITE,
    operation: 'place_order',
    summary: 'Place a draft order: fix prices, reserve stock and assign a number',
    returns: OrderDto,
    ifMatch: true,
    errors: [...PRICING, StorefrontErrors.totalsChanged, InventoryErrors.insufficientStock, StorefrontErrors.invalidTransition],
    emits: [OrderEvents.stateChanged, InventoryEvents.reservationCreated, InventoryEvents.stockLow, InventoryEvents.reorderDue],
  })
  async place(@Ctx() ctx: Ctx, @Id(ORDER_NUMBER) id: string, @Body() body: PlaceOrderDto): Promise<OrderDto> {
    return this.names.one(ctx, await this.carts.place(ctx, id, body.expected_total_amount));
  }

  @Post(':id/fulfill')
  @Endpoint({
    ...WRITE,
    operation: 'fulfill_order',
    summary: 'Record a parcel and take its reserved goods out of stock',
    returns: OrderDto,
    ifMatch: true,
    openWorld: true,
    errors: [StorefrontErrors.invalidTransition, InventoryErrors.insufficientStock, InventoryErrors.stockReserved],
    emits: [
      OrderEvents.fulfillmentChanged,
      OrderEvents.stateChanged,
      InventoryEvents.stockMoved,
      InventoryEvents.reservationEnded,
      InventoryEvents.stockLow,
      InventoryEvents.reorderDue,
    ],
  })
  async fulfill(@Ctx() ctx: Ctx, @Id(ORDER_NUMBER) id: string, @Body() body: FulfillOrderDto): Promise<OrderDto> {
    return this.names.one(ctx, await this.shipping.fulfill(ctx, id, body));
  }

  @Post(':id/fulfillments/:fulfillment_id/cancel')
  @Endpoint({
    ...WRITE,
    operation: 'cancel_fulfillment',
    summary: 'Cancel a parcel and reserve its goods again',
    returns: OrderDto,
    ifMatch: true,
    destructive: true,
    errors: [StorefrontErrors.invalidTransition, InventoryErrors.insufficientStock, InventoryErrors.serialInStock],
    emits: [
      OrderEvents.fulfillmentChanged,
      OrderEvents.stateChanged,
      InventoryEvents.stockMoved,
      InventoryEvents.reservationCreated,
      InventoryEvents.stockLow,
      InventoryEvents.reorderDue,
    ],
  })
  async cancelFulfillment(
    @Ctx() ctx: Ctx,
    @Id('id', 'Id or number of the order.', ORDER_NUMBER) id: string,
    @Id('fulfillment_id', 'Id of the fulfillment.') fulfillmentId: string,
  ): Promise<OrderDto> {
    return this.names.one(ctx, await this.shipping.cancelFulfillment(ctx, id, fulfillmentId));
  }

  @Post(':id/cancel')
  @Endpoint({
    ...WRITE,
    operation: 'cancel_order',
    summary: 'Cancel units that were not shipped, or the whole order',
    description: 'Refunds nothing: totals shows refund_due_amount.',
    returns: OrderDto,
    ifMatch: true,
    destructive: true,
    errors: [StorefrontErrors.orderShipped, StorefrontErrors.invalidTransition],
    emits: [OrderEvents.updated, OrderEvents.stateChanged, InventoryEvents.reservationEnded],
  })
  async cancel(@Ctx() ctx: Ctx, @Id(ORDER_NUMBER) id: string, @Body() body: CancelOrderDto): Promise<OrderDto> {
    return this.names.one(ctx, await this.cancellations.cancel(ctx, id, body));
  }

  @Post(':id/payments')
  @Endpoint({
    ...WRITE,
    operation: 'record_order_payment',
    summary: 'Record a payment',
    description: 'Moves no money.',
    returns: OrderDto,
    ifMatch: true,
    errors: [StorefrontErrors.invalidTransition, duplicate],
    emits: [OrderEvents.paymentRecorded, OrderEvents.stateChanged, OrderEvents.paymentReceived],
  })
  async pay(@Ctx() ctx: Ctx, @Id(ORDER_NUMBER) id: string, @Body() body: RecordOrderPaymentDto): Promise<OrderDto> {
    return this.names.one(ctx, await this.payments.record(ctx, id, body));
  }

  @Post(':id/payment-requests')
  @Endpoint({
    ...WRITE,
    operation: 'request_order_payment',
    summary: 'Get a page or reference from the payment provider',
    description: 'For what is due; records nothing. Each call makes another page. Without a provider: the number to state in a transfer.',
    returns: RequestedPaymentDto,
    ownTransactions: true,
    dryRun: true,
    openWorld: true,
    errors: [StorefrontErrors.invalidTransition, paymentRefused],
  })
  requestPayment(@Ctx() ctx: Ctx, @Id(ORDER_NUMBER) id: string, @Body() body: RequestPaymentDto): Promise<RequestedPaymentDto> {
    return this.requests.request(ctx, id, body);
  }

  @Post(':id/refunds')
  @Endpoint({
    ...WRITE,
    operation: 'refund_order',
    summary: 'Record a refund of an amount, or of shipped or cancelled units',
    description: 'Moves no money. A failed one can be recorded again with another reference.',
    returns: OrderDto,
    ifMatch: true,
    errors: [StorefrontErrors.refundExceedsPayment, StorefrontErrors.invalidTransition, InventoryErrors.serialInStock, duplicate],
    emits: [
      OrderEvents.refundRecorded,
      OrderEvents.refunded,
      OrderEvents.updated,
      OrderEvents.stateChanged,
      InventoryEvents.stockMoved,
      InventoryEvents.reservationEnded,
    ],
  })
  async refund(@Ctx() ctx: Ctx, @Id(ORDER_NUMBER) id: string, @Body() body: RefundOrderDto): Promise<OrderDto> {
    return this.names.one(ctx, await this.refunds.record(ctx, id, body));
  }
}
