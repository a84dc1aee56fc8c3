import type { Type } from '@nestjs/common';
import { AccountingModule } from './modules/accounting/accounting.module.js';
import { CrmModule } from './modules/crm/crm.module.js';
import { DeskModule } from './modules/desk/desk.module.js';
import { DocumentsModule } from './modules/documents/documents.module.js';
import { HrModule } from './modules/hr/hr.module.js';
import { InventoryModule } from './modules/inventory/inventory.module.js';
import { LeadWebhookModule } from './modules/lead-webhook/lead-webhook.module.js';
import { ScheduleModule } from './modules/schedule/schedule.module.js';
import { StorefrontModule } from './modules/storefront/storefront.module.js';
import { TasksModule } from './modules/tasks/tasks.module.js';

/** The modules of the suite, one line each. */
export const BUILT_IN: readonly Type[] = [
  TasksModule,
  CrmModule,
  LeadWebhookModule,
  DocumentsModule,
  ScheduleModule,
  InventoryModule,
  AccountingModule,
  StorefrontModule,
  DeskModule,
  HrModule,
];

/** The domain modules. */
export const MODULES: readonly Type[] = [
  // npm run new:module adds an entry
  ...BUILT_IN,
];
