import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboxWriter } from '../persistence/transactions/outbox-writer.js';
import type { EventDeliveries } from './event-deliveries.js';
import { EventPermissions } from './event-permissions.js';
import { EventsController } from './events.controller.js';
import { OutboxEvent } from './outbox-event.entity.js';
import { OutboxSignal } from './outbox-signal.js';
import { Outbox } from './outbox.js';
import { SettledEvents } from './settled-events.js';

/** The outbox: events, written in the transactions of their changes, and their routes. Needs Store. */
@Global()
@Module({})
export class EventsModule {
  static register(deliveries: EventDeliveries): DynamicModule {
    return {
      module: EventsModule,
      imports: [TypeOrmModule.forFeature([OutboxEvent])],
      controllers: [EventsController],
      providers: [
        EventPermissions,
        OutboxSignal,
        SettledEvents,
        { provide: Outbox, useFactory: (signal: OutboxSignal) => new Outbox(deliveries, signal), inject: [OutboxSignal] },
        { provide: OutboxWriter, useExisting: Outbox },
      ],
      exports: [EventPermissions, Outbox, OutboxSignal, OutboxWriter, SettledEvents],
    };
  }
}
