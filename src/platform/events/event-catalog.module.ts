import { Global, Module } from '@nestjs/common';
import { EventCatalog } from '../../kit/index.js';
import { DeclaredEvents } from './declared-events.js';

/** The events that modules declare, and the jobs that listen to them. Needs ModuleRegistry, EventsModule, the queue. */
@Global()
@Module({
  providers: [DeclaredEvents, { provide: EventCatalog, useExisting: DeclaredEvents }],
  exports: [EventCatalog],
})
export class EventCatalogModule {}
