import { Module } from '@nestjs/common';
import { IdSearchController } from './id-search.controller.js';
import { IdSearch } from './id-search.service.js';

/** Finds requests, events, deliveries, keys and endpoints by an id. Needs Store. */
@Module({
  controllers: [IdSearchController],
  providers: [IdSearch],
})
export class IdSearchModule {}
