import { Global, Module } from '@nestjs/common';
import { EventStreams } from './event-streams.js';

/** Events as they are recorded, sent on open connections. Needs persistence, events, keys. */
@Global()
@Module({
  providers: [EventStreams],
  exports: [EventStreams],
})
export class EventStreamsModule {}
