import { Global, Module } from '@nestjs/common';
import { InternalEvents } from '../../kit/index.js';
import { DeclaredInternalEvents } from './declared-internal-events.js';

/** Which internal events there are, and the jobs that listen to them. Needs ModuleRegistry, EventsModule and the queue. */
@Global()
@Module({
  providers: [DeclaredInternalEvents, { provide: InternalEvents, useExisting: DeclaredInternalEvents }],
  exports: [InternalEvents],
})
export class InternalEventsModule {}
