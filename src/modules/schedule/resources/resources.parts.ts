import type { DomainModuleOptions } from '../../../kit/index.js';
import { OrgResourcesController } from './org-resources.controller.js';
import { ResourcesController } from './resources.controller.js';
import { ResourcesService } from './resources.service.js';

/** What events use: rooms, equipment, people. */
export const RESOURCES = {
  controllers: [ResourcesController, OrgResourcesController],
  providers: [ResourcesService],
} satisfies Partial<DomainModuleOptions>;
