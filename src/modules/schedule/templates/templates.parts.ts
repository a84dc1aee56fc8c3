import type { DomainModuleOptions } from '../../../kit/index.js';
import { EventTemplatesController } from './event-templates.controller.js';
import { EventTemplatesService } from './event-templates.service.js';
import { OrgEventTemplatesController } from './org-event-templates.controller.js';
import { ScheduleProjectSetup } from './schedule-project-setup.js';

/** Event templates: which fields and metadata the events of a calendar have. */
export const TEMPLATES = {
  controllers: [EventTemplatesController, OrgEventTemplatesController],
  providers: [EventTemplatesService, ScheduleProjectSetup],
} satisfies Partial<DomainModuleOptions>;
