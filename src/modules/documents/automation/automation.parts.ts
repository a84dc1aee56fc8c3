import type { DomainModuleOptions } from '../../../kit/index.js';
import { AutomationImages } from './automation-images.js';
import { BridgeTargets } from './bridges/bridge-targets.js';
import { BridgesService } from './bridges/bridges.service.js';
import { IntakeBridge } from './bridges/intake-bridge.entity.js';
import { OrgBridgesController } from './bridges/org-bridges.controller.js';
import { RunBridge } from './bridges/run-bridge.job.js';
import { BulkSend, BulkSendRow } from './bulk/bulk-send.entity.js';
import { BulkSendsController } from './bulk/bulk-sends.controller.js';
import { BulkSends } from './bulk/bulk-sends.service.js';
import { RunBulkSend } from './bulk/run-bulk-send.job.js';
import { FormPageController } from './forms/form-page.controller.js';
import { FormSubmission } from './forms/form-submission.entity.js';
import { FormUploads } from './forms/form-uploads.service.js';
import { FormVisits } from './forms/form-visits.service.js';
import { FormsService } from './forms/forms.service.js';
import { IntakeForm } from './forms/intake-form.entity.js';
import { OrgFormsController } from './forms/org-forms.controller.js';
import { GenerateController, OrgGenerationsController } from './triggers/generate.controller.js';
import { Generate } from './triggers/generate.service.js';
import { GenerationRuns } from './triggers/generation-runs.js';
import { GenerationTrigger } from './triggers/generation-trigger.entity.js';
import { OrgTriggersController } from './triggers/org-triggers.controller.js';
import { RunTrigger } from './triggers/run-trigger.job.js';
import { TriggersService } from './triggers/triggers.service.js';
import { ImageUses } from '../workflow/images/image-uses.js';

/** What creates and sends documents, leads and tasks without a person. */
export const AUTOMATION = {
  entities: [GenerationTrigger, IntakeForm, FormSubmission, IntakeBridge, BulkSend, BulkSendRow],
  controllers: [
    GenerateController,
    OrgGenerationsController,
    OrgTriggersController,
    OrgFormsController,
    OrgBridgesController,
    FormPageController,
    BulkSendsController,
  ],
  providers: [
    { provide: ImageUses, useClass: AutomationImages },
    TriggersService,
    GenerationRuns,
    Generate,
    FormsService,
    FormVisits,
    FormUploads,
    BridgesService,
    BridgeTargets,
    BulkSends,
  ],
  jobs: [RunTrigger, RunBridge, RunBulkSend],
  // how long a row's key keeps it from being sent again; its values are in the document
  retention: [{ table: 'document_bulk_sends', column: 'created_at', keepDays: 90, where: 'finished_at IS NOT NULL', batch: 100 }],
} satisfies Partial<DomainModuleOptions>;
