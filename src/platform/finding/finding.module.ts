import { Module } from '@nestjs/common';
import { FindingController } from './finding.controller.js';
import { FindingService } from './finding.service.js';

/** Finds requests, events, deliveries, keys and endpoints by an id. Needs Store. */
@Module({ controllers: [FindingController], providers: [FindingService] })
export class FindingModule {}
