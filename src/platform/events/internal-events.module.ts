import { Global, Module } from '@nestjs/common';
import { InternalEvents } from '../../kit/index.js';
import { DeclaredInternalEvents } from './declared-internal-events.js';

/** The internal events that modules declare, and the jobs that listen to them. Needs ModuleRegistry, EventsModule, the queue. */
@Global()
@Module({
  providers: [DeclaredInternalEvents, { provide: InternalEvents, useExisting: DeclaredInternalEvents }],
  exports: [InternalEvents],
})
export class InternalEventsModule {}
