import { Global, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { AppConfig } from '../config/settings.js';
import { OutboxSignal } from '../events/outbox-signal.js';
import { JobNotifier } from '../queue/job-notifier.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryClaims } from './delivery-claims.js';
import { DeliveryResults } from './delivery-results.js';
import { DELIVERY_QUEUE, DeliverySender } from './delivery-sender.js';
import { EndpointHealth } from './endpoint-health.js';
import { EndpointSwitch } from './endpoint-switch.js';
import { EventCatalogue } from './event-catalogue.js';
import { Poster } from './post.js';
import { TargetNames } from './target-names.js';
import { TargetRules } from './target-rules.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';
import { WEBHOOK_SETTINGS, webhookSettings, type WebhookSettings } from './webhook-settings.js';

/** Events on their way out: endpoints, deliveries, and the workers' part of it. Needs Store, the queue and mail. */
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
        EventCatalogue,
        EndpointSwitch,
        EndpointHealth,
        WebhookEndpointsService,
        DeliveriesService,
        DeliveryClaims,
        DeliveryResults,
        DeliverySender,
      ],
      exports: [EventCatalogue, WebhookEndpointsService],
    };
  }

  onModuleInit(): void {
    this.outbox.subscribe(({ deliveries }) => {
      if (deliveries > 0) this.notifier.notify(DELIVERY_QUEUE);
    });
  }
}
