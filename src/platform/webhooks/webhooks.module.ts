import { Global, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventHistory } from '../../kit/index.js';
import type { AppConfig } from '../config/settings.js';
import { OutboxSignal } from '../events/outbox-signal.js';
import { JobNotifier } from '../queue/job-notifier.js';
import { DeliveriesController } from './deliveries/deliveries.controller.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { DeliveryAnalytics } from './deliveries/delivery-analytics.js';
import { DeliveryClaims } from './deliveries/delivery-claims.js';
import { DeliveryResults } from './deliveries/delivery-results.js';
import { DeliverySender } from './deliveries/delivery-sender.js';
import { DELIVERY_QUEUE } from './sending/delivery-queue.js';
import { EndpointHealth } from './endpoints/endpoint-health.js';
import { EndpointSwitch } from './endpoints/endpoint-switch.js';
import { EventCatalog } from './endpoints/event-catalog.js';
import { OldestDueDelivery } from './deliveries/oldest-due-delivery.js';
import { StoredEvents } from './deliveries/stored-events.js';
import { Poster } from './sending/post.js';
import { TargetNames } from '../net/target-names.js';
import { TargetRules } from '../net/target-rules.js';
import { WebhookDelivery } from './deliveries/webhook-delivery.entity.js';
import { WebhookEndpoint } from './endpoints/webhook-endpoint.entity.js';
import { WebhookEndpointsController } from './endpoints/webhook-endpoints.controller.js';
import { WebhookEndpointsService } from './endpoints/webhook-endpoints.service.js';
import { WEBHOOK_SETTINGS, webhookSettings, type WebhookSettings } from './sending/webhook-settings.js';

/**
 * Sends events to the endpoints that subscribe to them. Needs Store, the queue, events and mail.
 * - `sending/` one HTTP request: allowed targets, signature, retry schedule
 * - `endpoints/` subscriptions, and when an endpoint is disabled
 * - `deliveries/` the deliveries of events, and the workers that claim, send and settle them
 */
@Global()
@Module({})
export class WebhooksModule implements OnModuleInit {
  constructor(
    private readonly outbox: OutboxSignal,
    private readonly notifier: JobNotifier,
  ) {}

  static register(config: AppConfig): DynamicModule {
    return {
      module: WebhooksModule,
      imports: [TypeOrmModule.forFeature([WebhookEndpoint, WebhookDelivery])],
      controllers: [WebhookEndpointsController, DeliveriesController],
      providers: [
        { provide: WEBHOOK_SETTINGS, useValue: webhookSettings(config) },
        { provide: TargetRules, useFactory: ({ targets }: WebhookSettings) => new TargetRules(targets), inject: [WEBHOOK_SETTINGS] },
        { provide: TargetNames, useFactory: (rules: TargetRules) => new TargetNames(rules), inject: [TargetRules] },
        {
          provide: Poster,
          useFactory: (names: TargetNames, { timeoutMs }: WebhookSettings) => new Poster(names, timeoutMs),
          inject: [TargetNames, WEBHOOK_SETTINGS],
        },
        EventCatalog,
        EndpointSwitch,
        EndpointHealth,
        WebhookEndpointsService,
        DeliveriesService,
        DeliveryAnalytics,
        DeliveryClaims,
        DeliveryResults,
        DeliverySender,
        OldestDueDelivery,
        { provide: EventHistory, useClass: StoredEvents },
      ],
      exports: [EventHistory, DeliveriesService, OldestDueDelivery, EventCatalog, WebhookEndpointsService],
    };
  }

  onModuleInit(): void {
    this.outbox.subscribe(({ deliveries }) => {
      if (deliveries > 0) this.notifier.notify(DELIVERY_QUEUE);
    });
  }
}
