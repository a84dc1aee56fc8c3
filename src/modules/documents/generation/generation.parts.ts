import type { DomainModuleOptions } from '../../../kit/index.js';
import { BridgeTargets } from './bridges/bridge-targets.js';
import { BridgesService } from './bridges/bridges.service.js';
import { IntakeBridge } from './bridges/intake-bridge.entity.js';
import { OrgBridgesController } from './bridges/org-bridges.controller.js';
import { RunBridge } from './bridges/run-bridge.job.js';
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

/**
 * - `triggers/`: create documents when events happen.
 * - `forms/`: public intake forms.
 * - `bridges/`: create leads and tasks from form submissions.
 * - `mapping/`: maps members of an event to values of a document.
 */
export const GENERATION = {
  entities: [GenerationTrigger, IntakeForm, FormSubmission, IntakeBridge],
  controllers: [
    GenerateController,
    OrgGenerationsController,
    OrgTriggersController,
    OrgFormsController,
    OrgBridgesController,
    FormPageController,
  ],
  providers: [TriggersService, GenerationRuns, Generate, FormsService, FormVisits, FormUploads, BridgesService, BridgeTargets],
  jobs: [RunTrigger, RunBridge],
} satisfies Partial<DomainModuleOptions>;
